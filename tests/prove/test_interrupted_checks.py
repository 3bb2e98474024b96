"""Checks of calls that something befalls in the middle: against servers that break them, and servers that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.model.proof import Verdict
from fourfold.prove.desk import Desk
from fourfold.prove.engine import Selection, prove
from tests.prove.errands import errands, our_errands
from tests.prove.shelf import at_shelf, at_stranger

pytestmark = pytest.mark.anyio

LOST = "lost-answer-one-effect"


async def verdicts(desk: Desk, *only: str) -> dict[str, Verdict]:
    """What one check says, by tool."""
    return {each.tool: each for each in (await prove(desk, revision="", selection=Selection(only=only))).verdicts}


async def test_a_key_that_is_kept_after_the_effect_is_named(tmp_path: Path) -> None:
    """D1, B12: the input ended in between, and the next process knows of no key."""
    async with errands(tmp_path, "key-late") as desk:
        found = (await verdicts(desk, LOST))["errand_add"]
    detail = "cut before its answer and repeated, the call writes 2 rows; alone it writes 1"
    assert (found.status, found.detail) == ("failed", detail)
    assert [call.beside for call in found.calls] == ["cut before the answer", ""]


async def test_a_server_that_keeps_both_at_once_passes(tmp_path: Path) -> None:
    """D1, B12: a tool without a key has no such property."""
    async with errands(tmp_path) as desk:
        found = await verdicts(desk, LOST)
    assert {tool: each.status for tool, each in found.items()} == {"errand_add": "passed"}


async def test_processes_that_share_nothing_cannot_be_tested(tmp_path: Path) -> None:
    """B12: what one process forgets with its end, no other one can be asked about."""
    async with errands(tmp_path, "alone") as desk:
        found = (await verdicts(desk, LOST))["errand_add"]
    assert (found.status, found.detail.split(":")[0]) == ("not_tested", "no call that was cut left anything behind")


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_catalog_of_ours_is_told_what_became_of_a_lost_answer(seed: int) -> None:
    """D1, B7: over HTTP, where only the connection breaks."""
    async with our_errands(seed=seed) as desk:
        found = await verdicts(desk, LOST)
    passed = {tool for tool, each in found.items() if each.status == "passed"}
    assert passed == {"errand_add", "errand_run_execute"}
    assert found["errand_send"].detail.endswith("This call asks the user a question")


async def test_a_cursor_that_goes_with_the_process_is_named() -> None:
    """B10, B12: a list that was begun cannot be ended."""
    found = {each.tool: each for each in await at_shelf("cursor-survives-restart", faults=["forgets"])}
    detail = "a cursor of before the server was started again is answered with cursor_invalid"
    assert (found["note_list"].status, found["note_list"].detail) == ("failed", detail)


async def test_a_cursor_that_is_kept_passes() -> None:
    """B10, B12: the same server without that fault."""
    found = {each.tool: each.status for each in await at_shelf("cursor-survives-restart")}
    assert found == {"note_list": "passed"}


async def test_a_server_that_nobody_can_start_again_is_not_tested() -> None:
    """B12: what was not tested says what would let it be."""
    found = {each.tool: each for each in await at_stranger("key-survives-restart")}
    assert found["note_create"].next_step == "prove the catalog instead of the server"


@pytest.mark.parametrize("check", ["key-survives-restart", "expired-plan-refused", "denied-plan-refused"])
async def test_a_catalog_of_ours_stands_what_befalls_it(check: str) -> None:
    """D1, C7: on the same store, with the same keys, under the same address."""
    async with our_errands() as desk:
        found = await verdicts(desk, check)
    assert found["errand_run_execute"].status == "passed"


async def test_a_catalog_that_starts_only_once_is_named() -> None:
    """B12: what it prepares is prepared at every start; the run goes on with the server as it is."""
    async with our_errands(starts_once=True) as desk:
        found, after = await verdicts(desk, "key-survives-restart"), await verdicts(desk, "same-key-one-effect")
    assert found["errand_add"].status == "failed"
    assert "does not start a second time on its own store" in found["errand_add"].detail
    assert after["errand_add"].status == "passed"
