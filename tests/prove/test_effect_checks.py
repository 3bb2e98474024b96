"""Each check of effects against a real server that breaks it, and against two that do not."""

from __future__ import annotations

import pytest

from tests.prove.shelf import at_framework, at_shelf, at_stranger, said

BROKEN = {
    "forgets-key": ("same-key-one-effect", "note_create", "is done a second time"),
    "looks-late": ("concurrent-same-key-one-effect", "note_create", "4 calls at once with one key write 4 rows"),
    "key-for-anything": ("key-with-other-arguments-refused", "note_create", "a key of another call is accepted"),
    "no-twins": ("no-key-twice-noticed", "note_create", "the same call once more, without a key, is accepted"),
    "writes-first": ("failed-write-leaves-nothing", "note_join", "a call that fails with unknown_note has an effect"),
    "any-version": ("stale-version-refused", "note_update", "the version that a change has used up is accepted"),
    "old-version": ("stale-version-refused", "note_update", "the version that a change has used up is accepted"),
    "no-current": ("stale-version-refused", "note_update", "is refused without the current one"),
    "any-order": ("wrong-order-refused", "", "which allowed_actions does not list, is accepted"),
    "plan-writes": ("plan-has-no-effect", "note_delete_plan", "planning it has an effect"),
    "any-digest": ("plan-with-other-digest-refused", "note_delete_execute", "the digest of another one is accepted"),
    "any-planner": ("plan-of-another-caller-refused", "note_delete_execute", "a plan of another caller is accepted"),
    "knows-plans": ("plan-of-another-caller-refused", "note_delete_execute", "one that never was plan_mismatch"),
    "plan-again": ("plan-used-once", "note_delete_execute", "a plan is executed a second time"),
    "forgets": ("key-survives-restart", "note_create", "after the server was started again is done a second time"),
    "deaf-to-no": ("denied-plan-refused", "note_publish_execute", "a plan that somebody said no to is accepted"),
    "keeps-yes": ("denied-plan-refused", "note_publish_execute", "a plan whose approval was taken back is accepted"),
    "never-late": ("expired-plan-refused", "note_delete_execute", "a plan whose time is over is accepted"),
    "any-pair": ("plan-of-other-tool-refused", "note_delete_execute", "a plan for note_delete_execute is accepted"),
    "no-approval": ("execute-without-approval-refused", "note_publish_execute", "nobody agreed to is accepted"),
    "read-writes": ("read-has-no-effect", "note_get", "a read has an effect"),
    "preview-writes": ("preview-has-no-effect", "note_measure", "previewing it has an effect"),
}
"""By fault of the server: the check that names it, the tool, and what it says."""

STRANGE = {
    "forgets-key": ("same-key-one-effect", "note_create", "is done a second time"),
    "looks-late": ("concurrent-same-key-one-effect", "note_create", "4 calls at once with one key write 4 rows"),
    "key-for-anything": ("key-with-other-arguments-refused", "note_create", "a key of another call is accepted"),
    "writes-first": ("failed-write-leaves-nothing", "note_join", "has an effect"),
    "any-version": ("stale-version-refused", "note_update", "the version that a change has used up is accepted"),
    "read-writes": ("read-has-no-effect", "note_get", "a read has an effect"),
}
"""The same of a server whose contracts nobody knows: what happened is read from its own lists."""


@pytest.mark.anyio
@pytest.mark.parametrize("fault", BROKEN)
async def test_a_planted_fault_is_named_by_the_check_of_its_kind(fault: str) -> None:
    """B12, C9: judged by the rows that were written, with the calls that show it."""
    check, tool, detail = BROKEN[fault]
    found = next(each for each in await at_shelf(check, faults=[fault]) if each.tool == tool)
    assert (found.status, detail in found.detail, bool(found.calls)) == ("failed", True, True), found.detail


@pytest.mark.anyio
@pytest.mark.parametrize("fault", STRANGE)
async def test_a_fault_of_a_stranger_shows_in_its_own_lists(fault: str) -> None:
    """B12, C9: nothing is known of its contracts, and no row of it can be counted."""
    check, tool, detail = STRANGE[fault]
    found = next(each for each in await at_stranger(check, faults=[fault]) if each.tool == tool)
    assert (found.status, detail in found.detail, bool(found.calls)) == ("failed", True, True), found.detail


@pytest.mark.anyio
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_catalog_of_ours_passes_every_check_of_effects(seed: int) -> None:
    """B12, C9: over HTTP, for two callers; none is left out for want of a call that goes well."""
    found = await at_framework("effect", seed=seed)
    assert [each for each in found if each.status != "passed"] == []
    assert {check for check, _, _ in BROKEN.values()} <= {each.check for each in found}


@pytest.mark.anyio
async def test_a_sound_server_by_hand_passes_what_can_be_tested_on_it() -> None:
    """B12: the faults above are told apart from what the server is without them."""
    known, strange = await at_shelf("effect"), await at_stranger("effect")
    assert [each for each in (*known, *strange) if each.status == "failed"] == []
    # Its connections are none that could be cut.
    untested = {each.tool for each in known if each.status == "not_tested" and each.check != "lost-answer-one-effect"}
    assert untested == {"operation_status"}


@pytest.mark.anyio
async def test_what_a_stranger_does_not_promise_is_not_tested() -> None:
    """B12: a repeat without a key may be meant, and nobody says otherwise."""
    found = await at_stranger("no-key-twice-noticed")
    assert said(found) == {"note_create": "not_tested"}


@pytest.mark.anyio
async def test_without_leave_nothing_is_written_and_reads_are_still_tried() -> None:
    """B12: what was not tested says what would let it be."""
    found = await at_shelf("effect", faults=["read-writes"], writes=False)
    assert {each.check for each in found if each.status == "failed"} == {"read-has-no-effect"}
    untested = {each.next_step for each in found if each.check == "same-key-one-effect"}
    assert untested == {"allow it with --writes, on data that may be lost"}
