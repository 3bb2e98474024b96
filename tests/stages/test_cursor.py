"""Cursors of pages: what they are good for, and everything that they are not."""

from __future__ import annotations

import base64
import json
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold import Caller, Limits
from fourfold.testing import Answer, Kit, caller, open_kit
from tests.stages.archive import archive

DAY_S = 24 * 3_600


@pytest.fixture(scope="module")
def pages() -> Generator[Kit]:
    """The archive; reading it changes nothing, so that one serves every example."""
    with open_kit(archive(limits=Limits(calls_per_minute=100_000))) as opened:
        yield opened


def numbers(answer: Answer) -> list[int]:
    """The numbers on a page."""
    return [entry["number"] for entry in answer.structured["items"]]


def first_cursor(kit: Kit, **arguments: Any) -> str:
    """The cursor of the first page."""
    return kit.call("entry_list", arguments).structured["next_cursor"]


def assert_invalid(answer: Answer) -> None:
    """Refused as no cursor of this call, with how to start again."""
    assert (answer.kind, answer.code) == ("rejected", "cursor_invalid")
    assert answer.paths == ["cursor"]
    assert "first page" in answer.problems[0].expected


def test_cursors_lead_through_every_page_once(pages: Kit) -> None:
    """B3, B17: seven entries, three a page; the last page has no cursor at all."""
    arguments: dict[str, Any] = {}
    seen: list[dict[str, Any]] = []
    for _ in range(3):
        seen.append(pages.call("entry_list", arguments).structured)
        arguments = {"cursor": seen[-1].get("next_cursor")}

    assert [[entry["number"] for entry in page["items"]] for page in seen] == [[1, 2, 3], [4, 5, 6], [7]]
    assert [(page["returned"], page["has_more"]) for page in seen] == [(3, True), (3, True), (1, False)]
    assert "next_cursor" not in seen[-1]


@pytest.mark.parametrize(
    ("limit", "expected"), [({}, [4, 5, 6]), ({"limit": 1}, [4]), ({"limit": 2}, [4, 5]), ({"limit": 3}, [4, 5, 6])]
)
def test_a_cursor_is_good_for_any_limit(pages: Kit, limit: dict[str, int], expected: list[int]) -> None:
    """B10: how many come is not which ones."""
    assert numbers(pages.call("entry_list", {"cursor": first_cursor(pages), **limit})) == expected


@pytest.mark.parametrize("limit", [0, 4, "3", 1.0])
def test_a_limit_keeps_the_bounds_of_the_tool(pages: Kit, limit: Any) -> None:
    """B19: what the tool declares is the most that anybody gets."""
    answer = pages.call("entry_list", {"limit": limit})

    assert (answer.code, answer.paths) == ("invalid_arguments", ["limit"])


@pytest.mark.parametrize("by", [caller("other"), caller(tenant="globex")])
def test_a_cursor_of_somebody_else_is_invalid(pages: Kit, by: Caller) -> None:
    """B10, B18: principal and tenant are bound."""
    assert_invalid(pages.call("entry_list", {"cursor": first_cursor(pages)}, by=by))


def test_a_cursor_is_of_its_filters(pages: Kit) -> None:
    """B10: a default and the same value sent are the same filter; another one is not."""
    cursor = first_cursor(pages)

    assert numbers(pages.call("entry_list", {"cursor": cursor, "kind": "any"})) == [4, 5, 6]
    assert_invalid(pages.call("entry_list", {"cursor": cursor, "kind": "odd"}))


def test_a_cursor_is_of_its_tool(pages: Kit) -> None:
    """B10: two tools that page alike do not take each other's."""
    assert_invalid(pages.call("entry_scan", {"cursor": first_cursor(pages)}))


def test_a_cursor_is_of_its_contract(pages: Kit) -> None:
    """B10: what a changed contract would make of an old position is not tried out."""
    cursor = first_cursor(pages)
    with open_kit(archive(page_limit=4)) as changed, open_kit(archive(returns="Entries of the archive")) as reworded:
        assert_invalid(changed.call("entry_list", {"cursor": cursor}))
        assert numbers(reworded.call("entry_list", {"cursor": cursor})) == [4, 5, 6]


def test_a_cursor_expires_after_a_day() -> None:
    """B10: to the millisecond."""
    with open_kit(archive()) as kit:
        cursor = first_cursor(kit)
        kit.clock.advance(DAY_S - 0.001)
        assert numbers(kit.call("entry_list", {"cursor": cursor})) == [4, 5, 6]
        kit.clock.advance(0.001)
        assert_invalid(kit.call("entry_list", {"cursor": cursor}))


@settings(deadline=None, max_examples=60)
@given(position=st.integers(0, 10_000), letter=st.sampled_from("AQgw09-_"))
def test_a_changed_cursor_is_invalid(pages: Kit, position: int, letter: str) -> None:
    """B10: no character of it can be another one."""
    cursor = first_cursor(pages)
    at = position % len(cursor)
    changed = cursor[:at] + letter + cursor[at + 1 :]

    if changed != cursor:
        assert_invalid(pages.call("entry_list", {"cursor": changed}))


@pytest.mark.parametrize("payload", [{"o": "1"}, {"o": 1.5}, {"o": -1}, {"o": True}, {}, "bogus", [4]])
def test_a_cursor_that_this_server_did_not_make_is_invalid(pages: Kit, payload: Any) -> None:
    """B10, MP-070: never an internal error, never the first page."""
    encoded = base64.urlsafe_b64encode(json.dumps(payload).encode()).decode().rstrip("=")

    assert_invalid(pages.call("entry_list", {"cursor": encoded}))
    assert_invalid(pages.call("entry_list", {"cursor": f"v1.{encoded}"}))


@pytest.mark.parametrize("cursor", [" ", "start", "0", "null"])
def test_an_invented_first_cursor_is_told_how_to_start(pages: Kit, cursor: str) -> None:
    """B7, MP-071: the text says to leave it out, and that the call may be made again."""
    answer = pages.call("entry_list", {"cursor": cursor})

    assert_invalid(answer)
    assert answer.fault is not None
    assert answer.fault.retry == "after_fix"
    assert "Leave cursor out to start at the first page" in answer.fault.text


@pytest.mark.parametrize("cursor", ["", None])
def test_a_cursor_that_says_nothing_counts_as_absent(pages: Kit, cursor: str | None) -> None:
    """MP-071: clients that fill in every property still get the first page."""
    assert numbers(pages.call("entry_list", {"cursor": cursor})) == [1, 2, 3]


def test_a_cursor_is_bounded(pages: Kit) -> None:
    """B2: as every string."""
    answer = pages.call("entry_list", {"cursor": "v1." + "A" * 2_048})

    assert (answer.code, answer.paths) == ("invalid_arguments", ["cursor"])
