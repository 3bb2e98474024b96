"""Each check of the contract and of paths against a real server that breaks it, and against one that does not."""

from __future__ import annotations

import pytest

from tests.prove.trying import verdict, verdicts

BROKEN = {
    "protocol-error": ("valid-is-answered", "note_add", "a protocol error"),
    "refuses-good": ("valid-is-answered", "note_add", "refused as if they broke it"),
    "coerces": ("invalid-is-refused", "note_list", "were taken ("),
    "nameless": ("invalid-names-the-path", "note_get", "does not name note_id"),
    "writes-first": ("invalid-has-no-effect", "note_add", "what the server holds"),
    "echoes": ("rejected-value-not-echoed", "note_get", "repeats what stood at /note_id"),
    "trace": ("nothing-leaks", "note_get", "a stack trace (FF357)"),
    "path-in-error": ("nothing-leaks", "file_read", "a path of the server (FF358)"),
    "sql-for-quote": ("nothing-leaks", "file_read", "SQL (FF358)"),
    "huge": ("result-bounded", "note_list", "bytes, over 100,000"),
    "stops-at-limit": ("pages-end", "note_list", "in small pages the list ends after"),
    "repeats": ("pages-end", "note_list", "meets an entry twice"),
    "circles": ("pages-end", "note_list", "lead back"),
    "says-more": ("pages-end", "note_list", "says that there is more, and gives no cursor"),
    "says-whole": ("pages-end", "note_list", "says that the list is complete, and another page follows it"),
    "offset": ("pages-under-inserts", "note_list", "during the walk showed an entry twice"),
    "any-cursor": ("bad-cursor-refused", "note_list", "a made-up cursor was answered"),
    "ignores-limit": ("limit-honoured", "note_list", "limit 1 was asked for, and 23 entries came"),
    "shuffles": ("list-is-stable", "", "in another order"),
    "redescribes": ("list-is-stable", "", "described note_list differently"),
    "ignores-unknown": ("unknown-argument-refused", "note_get", "there is no argument note_id_x"),
    "ends-when-deep": ("deep-and-huge-refused", "note_list", "does not answer any more after a value 80 levels deep"),
    "takes-huge": ("deep-and-huge-refused", "note_add", "a text of 1,000,000 characters was taken"),
    "composes": ("unicode-survives", "note_add", "title with combining marks"),
    "loses-emoji": ("unicode-survives", "note_add", "title with an emoji of several parts"),
    "null-is-text": ("null-optional", "note_list", "it was taken for a value of its own"),
    "null-crashes": ("null-optional", "note_list", "holds a stack trace"),
    "joins-path": ("path-stays-inside", "file_read", "led out of the tool's folder"),
    "takes-absolute": ("path-stays-inside", "file_read", "led out of the tool's folder"),
    "decodes-path": ("path-stays-inside", "file_read", "led out of the tool's folder"),
    "keeps-places": ("cancellation-is-clean", "note_list", "answered with busy"),
    "wrong-output": ("output-conforms", "note_get", "breaks type at /title"),
}
"""By fault of the server: the check that names it, the tool, and what it says."""


@pytest.mark.anyio
@pytest.mark.parametrize("fault", BROKEN)
async def test_a_planted_fault_is_named_by_the_check_of_its_kind(fault: str) -> None:
    """B12: over the wire, at the tool that has it, with the calls that show it."""
    check, tool, said = BROKEN[fault]
    found = await verdict(check, tool, fault)
    assert (found.status, said in found.detail) == ("failed", True), found.detail
    assert found.calls or not tool


@pytest.mark.anyio
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_sound_server_passes_every_check_whatever_the_seed(seed: int) -> None:
    """B12: no check fails on a server that keeps its contract; only what needs more than a client is left out."""
    found = await verdicts(only=("contract", "paths"), seed=seed)
    assert {each.check for each in found if each.status != "passed"} == {"cursor-survives-restart", "link-stays-inside"}
    assert {each.status for each in found} == {"passed", "not_tested"}
    assert {each.check for each in found} >= {check for check, _, _ in BROKEN.values()}


@pytest.mark.anyio
async def test_without_leave_to_write_no_write_is_called() -> None:
    """B12: what was not tried for want of leave is said to be untested, with what would make it testable."""
    found = [each for each in await verdicts(only=("contract",), writes=False) if each.tool == "note_add"]
    assert {(each.status, each.tried) for each in found} == {("not_tested", 0)}
    assert all("--writes" in each.next_step for each in found)


@pytest.mark.anyio
async def test_a_result_is_not_measured_by_a_schema_that_is_none() -> None:
    """B3: every result would fit it, and the check be green for nothing."""
    found = await verdict("output-conforms", "note_get", "no-schema")

    assert (found.status, found.detail) == (
        "not_tested",
        "its output schema is no JSON Schema, so that every result fits it",
    )


@pytest.mark.anyio
async def test_a_read_that_answers_with_the_time_is_not_taken_for_an_effect() -> None:
    """B4: what is looked at changes by itself, so that no other read is blamed for it."""
    found = await verdicts("tells-time", only=("read-has-no-effect",))

    assert "failed" not in {each.status for each in found}


@pytest.mark.anyio
async def test_a_leak_is_told_in_full_and_depth_is_a_line_to_paste() -> None:
    """A5, B19: all that one failure shows; and the call that is printed is the one that was made."""
    leak = await verdict("nothing-leaks", "note_get", "trace")
    deep = await verdict("deep-and-huge-refused", "note_list", "ends-when-deep")

    assert "(FF357)" in leak.detail
    assert "[[[[" in str(deep.calls[0].arguments)
