"""Checks of what records say, against a catalog that says something wrong, and against the same one without a fault."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from fourfold.bootstrap.proving import Terms, proving_catalog
from fourfold.model.caller import Caller
from fourfold.model.proof import Verdict
from fourfold.prove.desk import FIRST, SECOND, Desk
from fourfold.prove.engine import Selection, prove
from fourfold.prove.foreign import is_one_of_a_kind
from tests.prove.till_catalog import till

pytestmark = pytest.mark.anyio

_CALLERS = (Caller(principal="ada", tenant="one", name=FIRST), Caller(principal="bob", tenant="two", name=SECOND))
_EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "sale_report": [{"first_day": "2026-03-01", "before": "2026-05-01", "group_by": "week"}]
}
BROKEN = [
    ("float", "preview-agrees", "sale_preview", "and sale_create answers"),
    ("euros", "sent-comes-back", "sale_create", "currency was sent as 'USD', and the answer says 'EUR'"),
    ("version", "written-is-read", "sale_create", "answered with version '9', and sale_get shows '1'"),
    ("there", "written-is-read", "sale_delete_execute", "after sale_delete_execute, sale_get shows it still"),
    ("page", "totals-add-up", "sale_report", "and the entries of all pages add up to"),
    ("gap", "parts-cover-the-whole", "sale_report", "and the next one begins at"),
    ("filter", "filter-honoured", "sale_list", "with state 'open', the list has an entry with 'closed'"),
    ("cut", "filter-honoured", "sale_list", "entries that it has not without it"),
    ("names", "callers-do-not-meet", "clerk_create", "another one may not make: name_taken"),
    ("allowed", "allowed-is-in-order", "sale_get", "lists sale_close, and it is refused with wrong_state"),
    ("sellers", "lists-are-apart", "seller_list", "a seller_id is listed to the caller for whom it is not there"),
    ("figures", "lists-are-apart", "sale_report", "what one caller changed is in the other one's list"),
]
"""Fault of the catalog, the check that names it, the tool, and what it says."""


@asynccontextmanager
async def _at_till(*faults: str, seed: int = 1) -> AsyncGenerator[Desk]:
    terms = Terms(seed=seed, max_calls=4_000, writes=True, examples=_EXAMPLES)
    async with proving_catalog(till(*faults), _CALLERS, terms=terms, target="till") as desk:
        yield desk


async def _verdicts(*faults: str, only: tuple[str, ...], seed: int = 1) -> list[Verdict]:
    async with _at_till(*faults, seed=seed) as desk:
        return [*(await prove(desk, revision="2026-07-28", selection=Selection(only=only))).verdicts]


@pytest.mark.parametrize(("fault", "check", "tool", "detail"), BROKEN)
async def test_a_record_that_says_something_wrong_is_named(fault: str, check: str, *, tool: str, detail: str) -> None:
    """B12, B3: with the calls that show it."""
    found = next(each for each in await _verdicts(fault, only=(check,)) if each.tool == tool)

    assert (found.status, detail in found.detail) == ("failed", True), found.detail
    assert found.calls


@pytest.mark.parametrize("seed", [1, 2])
async def test_the_same_catalog_without_a_fault_passes(seed: int) -> None:
    """B12, B3: nothing is taken for a fault, and every one of these checks has something to look at."""
    checks = tuple(dict.fromkeys(check for _, check, _, _ in BROKEN))
    found = await _verdicts(only=checks, seed=seed)

    assert [each for each in found if each.status == "failed"] == []
    assert {each.check for each in found if each.status == "passed"} == {*checks}


async def test_only_what_fits_the_schema_is_remembered_as_what_worked() -> None:
    """B12: a server of ours reads null as absent; variations of such a call would all break the schema."""
    async with _at_till() as desk:
        for state in ("open", None):
            answer = await desk.call("sale_list", {"state": state})
            assert not answer.result["isError"]
        assert desk.worked["sale_list"] == {"state": "open"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [("8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60", True), ("INV-2026-0042", False), ("C-000001", False), (42, False)],
)
def test_a_long_id_is_nobody_elses(value: str | int, *, expected: bool) -> None:
    """B18: what is numbered through may be of both callers, what is made by chance is not."""
    assert is_one_of_a_kind(value) is expected
