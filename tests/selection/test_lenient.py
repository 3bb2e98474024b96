"""The lenient rule where BFCL's published verdicts say nothing: objects that a case names as they are."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.model.case import Case, Expectation, ExpectedCall, Matcher
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool
from fourfold.selection.lenient import score_lenient

_LINES = {"type": "array", "items": {"type": "object"}}
_TOOLS = {
    "quote": OfferedTool(name="quote", description="", input_schema={"type": "object", "properties": {"lines": _LINES}})
}
_PLAIN = {"sku": "ABC-1234", "quantity": 3}


@pytest.mark.parametrize(
    ("accepted", "given", "said"),
    [
        ([_PLAIN], [_PLAIN], ""),
        ([_PLAIN], [{**_PLAIN, "quantity": 4}], "value:lines"),
        ([_PLAIN], [_PLAIN, _PLAIN], "value:lines"),
        ([{"sku": ["ABC-1234"], "quantity": [3, 4]}], [{"sku": "abc 1234", "quantity": 4}], ""),
        ([{"sku": ["ABC-1234"], "quantity": [3, 4]}], [{**_PLAIN, "quantity": 5}], "value:lines"),
    ],
)
def test_objects_are_accepted_as_they_are_or_by_lists_in_them(accepted: Any, given: Any, said: str) -> None:
    """A8: what equals the expected value exactly is right under the lenient rule, too."""
    call = ExpectedCall(name="quote", args={"lines": Matcher(kind="eq", value=accepted)})
    case = Case(id="c", case_class="positive", messages=(), expect=Expectation(decisions=("call",), calls=(call,)))

    verdict = score_lenient(case, Choice(calls=(ChosenCall(name="quote", arguments={"lines": given}),)), tools=_TOOLS)

    assert verdict.said == said


@pytest.mark.parametrize(("quantity", "said"), [(3, ""), (4, "value:lines")])
def test_matchers_in_a_list_of_objects_are_those_of_the_exact_rule(quantity: int, said: str) -> None:
    """A8: the published rule has no word for them."""
    lines = Matcher(kind="items", value=({"sku": Matcher(kind="any"), "quantity": Matcher(kind="eq", value=3)},))
    call = ExpectedCall(name="quote", args={"lines": lines})
    case = Case(id="c", case_class="positive", messages=(), expect=Expectation(decisions=("call",), calls=(call,)))
    given = ChosenCall(name="quote", arguments={"lines": [{"sku": "abc", "quantity": quantity}]})

    assert score_lenient(case, Choice(calls=(given,)), tools=_TOOLS).said == said
