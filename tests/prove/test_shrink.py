"""The arguments of a failing call are made smaller for as long as it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio
from hypothesis import given
from hypothesis import strategies as st

from fourfold.model.contract import JsonObject
from fourfold.model.proof import SentCall
from fourfold.prove.shrink import shrink

_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)
_OBJECTS = st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), _VALUES, max_size=4)


def _shrunk(arguments: JsonObject, fails: Callable[[Any], bool], *, tries: int = 300) -> tuple[JsonObject, int]:
    asked = 0

    async def still_fails(call: SentCall) -> bool:
        nonlocal asked
        asked += 1
        return fails(call.arguments)

    async def run() -> SentCall:
        return await shrink(SentCall(tool="t", arguments=arguments, caller="second"), still_fails, tries=tries)

    smallest = anyio.run(run)
    assert (smallest.tool, smallest.caller) == ("t", "second")
    return smallest.arguments, asked


def test_what_the_failure_does_not_need_goes() -> None:
    """Members, items, characters and size, down to what fails."""
    arguments = {"note": "x" * 400, "lines": [{"sku": "a", "count": 950}, {"sku": "b", "count": 3}], "flag": True}

    found, _ = _shrunk(arguments, lambda value: any(line.get("count", 0) >= 100 for line in value.get("lines", [])))

    assert found == {"lines": [{"count": 100}]}


def test_one_character_is_found_in_a_long_text() -> None:
    """Halves first, so that a few dozen calls are enough for 1,000 characters."""
    found, asked = _shrunk({"text": "a" * 700 + "é" + "b" * 299}, lambda value: "é" in value.get("text", ""), tries=60)

    assert found == {"text": "é"}
    assert asked <= 60


def test_a_call_that_fails_only_as_it_is_stays_so() -> None:
    """Nothing smaller fails."""
    arguments: JsonObject = {"a": 7, "b": ["x"]}

    assert _shrunk(arguments, lambda value: value == arguments)[0] == arguments


def test_no_more_tries_are_made_than_allowed() -> None:
    """Every try is a call to somebody's server."""
    assert _shrunk({"text": "x" * 500, "more": "y" * 500}, lambda _: False, tries=3)[1] == 3
    assert _shrunk({"text": "x" * 500}, lambda _: True, tries=0) == ({"text": "x" * 500}, 0)


@given(arguments=_OBJECTS, kept=st.sampled_from(["a", "b", "c", "d"]))
def test_what_comes_out_fails_and_is_no_larger(arguments: JsonObject, kept: str) -> None:
    """Over any arguments, for a failure that takes one member."""
    found, _ = _shrunk(arguments, lambda value: kept in value)

    assert found == arguments or kept in found
    assert len(json.dumps(found)) <= len(json.dumps(arguments))
