"""Each check of questions to a person: against a server that breaks it, one that does not, and a catalog of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.model.proof import Verdict
from fourfold.prove.desk import Desk
from fourfold.prove.engine import Selection, prove
from tests.prove.errands import errands, our_errands

pytestmark = pytest.mark.anyio

CHANGED, AGAIN = "changed-state-refused", "state-used-once"
FOREIGN, OTHER = "state-of-another-caller-refused", "state-with-other-arguments-refused"
RESTARTED, LATE = "state-survives-restart", "late-answer-refused"
CHECKS = (CHANGED, AGAIN, FOREIGN, OTHER, RESTARTED, LATE)
BROKEN = {
    "any-state": (CHANGED, "a changed requestState is accepted"),
    "asks-again": (CHANGED, "a changed requestState is answered with a question, which has to be a JSON-RPC error"),
    "says-it-as-a-tool": (CHANGED, "which has to be a JSON-RPC error"),
    "redeems-again": (AGAIN, "a requestState is redeemed a second time"),
    "any-caller": (FOREIGN, "the requestState of another caller is accepted"),
    "says-whose": (FOREIGN, "is refused with Not yours, a made-up one with Invalid requestState"),
    "new-secret": (RESTARTED, "of before the server was started again is answered with Invalid requestState"),
    "never-late": (LATE, "a requestState whose time is over is accepted"),
    "any-arguments": (OTHER, "the requestState of a call with other arguments is accepted"),
}
"""By fault of the server: the check that names it, and what it says."""


async def about(desk: Desk, *only: str) -> dict[str, Verdict]:
    """Verdicts about the tool that asks, by check."""
    proved = await prove(desk, revision=desk.revision, selection=Selection(only=only))
    return {each.check: each for each in proved.verdicts if each.tool == "errand_send"}


@pytest.mark.parametrize("fault", BROKEN)
async def test_a_fault_with_the_state_is_named_by_the_check_of_its_kind(fault: str, tmp_path: Path) -> None:
    """B8, B12: by a stranger, over stdio; the call that shows it says what came beside its arguments."""
    check, detail = BROKEN[fault]
    async with errands(tmp_path, fault) as desk:
        found = (await about(desk, check))[check]
    assert (found.status, detail in found.detail) == ("failed", True), found.detail
    assert found.calls[0].beside == "by a client that can show forms"


async def test_a_sound_server_passes_and_what_asks_nothing_is_not_tested(tmp_path: Path) -> None:
    """B8, B12: the faults above are told apart from what the server is without them."""
    async with errands(tmp_path) as desk:
        proved = await prove(desk, revision=desk.revision, selection=Selection(only=CHECKS))
    said = {(each.check, each.tool): each.status for each in proved.verdicts}
    assert {said[check, "errand_send"] for check in CHECKS} == {"passed"}
    assert {said[check, "errand_add"] for check in CHECKS} == {"not_tested"}


async def test_a_question_without_a_state_leaves_nothing_to_misuse(tmp_path: Path) -> None:
    """B12: what was not tested is not green."""
    async with errands(tmp_path, "no-state") as desk:
        found = (await about(desk, CHANGED))[CHANGED]
    assert (found.status, found.detail) == ("not_tested", "the question came without a requestState")


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_catalog_of_ours_passes_for_both_ways_to_ask(seed: int) -> None:
    """B8, C7: over HTTP, for two callers; none is left out for want of a question."""
    async with our_errands(seed=seed) as desk:
        proved = await prove(desk, revision=desk.revision, selection=Selection(only=CHECKS))
    assert [each for each in proved.verdicts if each.status != "passed"] == []
    assert {each.tool for each in proved.verdicts} == {"errand_send", "errand_run_execute"}
