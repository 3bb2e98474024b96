"""Values that recorded cases and rule pages write in short, because they are long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

__all__ = ["expanded"]


def expanded(value: Any) -> Any:
    """`value` with `$repeat`, `$concat`, `$float` and `$times` written out."""
    if isinstance(value, list):
        return [inner for entry in cast("list[Any]", value) for inner in _entries(entry)]
    if not isinstance(value, Mapping):
        return value
    match cast("Mapping[str, Any]", value):
        case {"$repeat": [str(text), int(count)]}:
            return text * count
        case {"$float": str(text)}:
            return float(text)
        case {"$concat": [*parts]}:
            return "".join(expanded(part) for part in parts)
        case members:
            return {name: expanded(inner) for name, inner in members.items()}


def _entries(entry: Any) -> Iterator[Any]:
    if isinstance(entry, Mapping) and "$times" in entry:
        count, pattern = cast("tuple[int, Any]", entry["$times"])
        yield from (_numbered(expanded(pattern), index) for index in range(count))
    else:
        yield expanded(entry)


def _numbered(value: Any, index: int) -> Any:
    if isinstance(value, str):
        return value.replace("{i}", str(index))
    if isinstance(value, list):
        return [_numbered(entry, index) for entry in cast("list[Any]", value)]
    if isinstance(value, Mapping):
        return {name: _numbered(inner, index) for name, inner in cast("Mapping[str, Any]", value).items()}
    return value
