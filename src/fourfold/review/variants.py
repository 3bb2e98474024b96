"""A JSON value with one place of it changed, in every way that is worth trying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from fourfold.contracts.strict_json import Json

__all__ = ["ABSENT", "Path", "variants"]

Path = tuple[str | int, ...]
"""Where a value stands in another: names and indexes from the outside in."""

ABSENT = object()
"""Stands for no value at all."""

_OTHERS: tuple[Json, ...] = (None, True, 0, 1, -1, 1.5, "", "x", "1", [], ["x"], {}, {"x": 1})
_COUNTS = (2, 3, 11, 21)


def variants(value: Json, edges: Mapping[Path, Sequence[Json]]) -> Iterator[Json]:
    """`value` with one place changed: to what `edges` say of it, another type, nothing, one member or item more."""
    for path in _paths(value):
        for other in (*edges.get(path, ()), *_OTHERS, *([ABSENT] if path else [])):
            yield _with(value, path, other)
        here = _at(value, path)
        if isinstance(here, dict):
            yield _with(value, path, {**cast("dict[str, Json]", here), "unknown_member": "x"})
        elif isinstance(here, list):
            for count in _COUNTS:
                yield _with(value, path, cast("list[Json]", here)[:1] * count)


def _paths(value: Json, path: Path = ()) -> Iterator[Path]:
    yield path
    if isinstance(value, dict):
        for name, each in cast("dict[str, Json]", value).items():
            yield from _paths(each, (*path, name))
    elif isinstance(value, list):
        for index, each in enumerate(cast("list[Json]", value)):
            yield from _paths(each, (*path, index))


def _at(value: Json, path: Path) -> Json:
    for step in path:
        value = value[step]
    return value


def _with(value: Json, path: Path, other: Json) -> Json:
    """`value` with `other` at `path`; without what stands there, if that is `ABSENT`."""
    if not path:
        return other
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        items = [_with(each, rest, other) if i == step else each for i, each in enumerate(cast("list[Json]", value))]
        return [each for each in items if each is not ABSENT]
    members = cast("dict[str, Json]", value)
    changed = {name: _with(each, rest, other) if name == step else each for name, each in members.items()}
    return {name: each for name, each in changed.items() if each is not ABSENT}
