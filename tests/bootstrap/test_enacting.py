"""The chosen calls are made on a store that is thrown away: the billing server's own suite, with its end states."""

from __future__ import annotations

from dataclasses import replace

import pytest

from billing import catalog
from fourfold.bootstrap.enacting import CatalogEnactor
from fourfold.contracts.case_file import read_cases
from fourfold.model.caller import Caller
from fourfold.model.case import Case
from fourfold.model.chosen import Choice, ChosenCall
from fourfold.selection.recorded import read_recorded
from tests.meta.repository import ROOT

pytestmark = pytest.mark.anyio

_SUITE = ROOT / "examples/billing/selection"
_CASES = tuple(
    case
    for case in read_cases((_SUITE / "billing.jsonl").read_bytes().splitlines(), name="billing.jsonl")
    if case.expect.state
)
_WRITTEN = {
    name: {
        each.case: each.choice
        for each in read_recorded((_SUITE / f"{name}.jsonl").read_bytes().splitlines(), name=f"{name}.jsonl")
    }
    for name in ("before", "after")
}
_ANSWERS = _WRITTEN["before"]
_BUILT = catalog.build()
_SCOPES = frozenset(scope for tool in _BUILT.tools.values() for scope in tool.contract.needs)
_ENACTOR = CatalogEnactor(
    catalog=_BUILT, caller=Caller(principal="clerk@acme", tenant="acme", scopes=_SCOPES, name="clerk")
)
_BY_ID = [pytest.param(case, id=case.id) for case in _CASES]


def test_ten_cases_name_an_end_state() -> None:
    """B11: drafts, numbers, credit notes, customers, and one with orders in a name."""
    assert len(_CASES) == 10
    assert {case.case_class for case in _CASES} == {"near_neighbour", "positive", "preserve", "injection"}


@pytest.mark.parametrize("case", _BY_ID)
async def test_the_written_answers_do_the_task_and_silence_does_not(case: Case) -> None:
    """B11: one of them sends a draft that was to be given its number, which the server refuses."""
    expected = "not_done" if case.id == "update-out-the-door" else "done"

    assert [await _ENACTOR.enact(case, answers[case.id].calls) for answers in _WRITTEN.values()] == [expected] * 2
    assert await _ENACTOR.enact(case, ()) == "not_done"


async def test_another_value_does_another_task() -> None:
    """B11: a credit note over one cent more; the case before has left nothing behind."""
    case = next(each for each in _CASES if each.id == "credit-percent")
    (call,) = _ANSWERS[case.id].calls
    more = replace(call, arguments={**(call.arguments or {}), "amount_minor": 21101})

    assert await _ENACTOR.enact(case, [more]) == "not_done"
    assert await _ENACTOR.enact(case, [call]) == "done"
    assert await _ENACTOR.enact(case, [replace(call, arguments=None)]) == "not_done"


async def test_what_would_reach_beyond_the_store_is_not_done_for_a_test() -> None:
    """B11: a refund moves money at a gateway."""
    refund = ChosenCall(name="payment_execute_refund", arguments={"plan_id": "plan_1", "digest": "0" * 64})

    assert _BUILT.tools["payment_execute_refund"].contract.effect.reach == "outside"
    assert await _ENACTOR.enact(_CASES[0], Choice(calls=(refund,)).calls) == "outside"
