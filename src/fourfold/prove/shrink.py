"""Makes the arguments of a failing call smaller for as long as the call still fails."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import cast

from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.model.proof import SentCall

__all__ = ["shrink"]

_TRIES = 60


async def shrink(
    call: SentCall, still_fails: Callable[[SentCall], Awaitable[bool]], *, tries: int = _TRIES
) -> SentCall:
    """The smallest call that was found to fail as well; `call` itself if no smaller one does.

    Args:
        call: one that fails.
        still_fails: makes a call and says whether it fails in the same way.
        tries: how often `still_fails` may be asked.
    """
    asked = {_text(call.arguments)}
    found, candidates = call, _smaller_objects(call.arguments)
    while tries:
        arguments = next(candidates, None)
        if arguments is None:
            break
        text = _text(arguments)
        # Of two texts that are as long, the one with the smaller digits or letters counts as smaller.
        if text in asked or (len(text), text) >= (len(_text(found.arguments)), _text(found.arguments)):
            continue
        asked.add(text)
        tries -= 1
        smaller = replace(found, arguments=arguments)
        if await still_fails(smaller):
            found, candidates = smaller, _smaller_objects(arguments)
    return found


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _smaller_objects(value: JsonObject) -> Iterator[JsonObject]:
    """The object with less in it: one member gone, the largest first; then one member made smaller."""
    for name in sorted(value, key=lambda name: -len(_text(value[name]))):
        yield {key: each for key, each in value.items() if key != name}
    for name, inside in value.items():
        yield from ({**value, name: each} for each in _smaller(inside))


def _smaller(value: Json) -> Iterator[Json]:
    if isinstance(value, Mapping):
        yield from _smaller_objects(cast("JsonObject", value))
    elif isinstance(value, list):
        yield from _smaller_lists(cast("list[Json]", value))
    elif isinstance(value, str):
        yield from _smaller_texts(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        whole = int(value)
        yield from (0, 1, whole, whole // 2, whole - whole // 4, whole - 1)


def _smaller_lists(value: list[Json]) -> Iterator[list[Json]]:
    half = len(value) // 2
    yield from (value[:half], value[half:])
    yield from (value[:index] + value[index + 1 :] for index in range(len(value)))
    for index, inside in enumerate(value):
        yield from ([*value[:index], each, *value[index + 1 :]] for each in _smaller(inside))


def _smaller_texts(value: str) -> Iterator[str]:
    half = len(value) // 2
    # A half that fails is found in few steps; what is left is then taken off one character at a time.
    yield from ("", value[:half], value[half:], value[:-1], value[1:])
