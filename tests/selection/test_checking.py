"""What of a case does not fit the tools, by place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourfold.model.case import Case, EndState, Expectation, ExpectedCall, Matcher
from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.selection.checking import check_cases
from tests.selection.suites import TOOLS, eq

_PAY = OfferedTool(
    name="pay",
    description="Pays.",
    input_schema={
        "type": "object",
        "$defs": {"Money": {"type": "object", "properties": {"amount": {"type": "string"}}, "required": ["currency"]}},
        "properties": {
            "price": {"$ref": "#/$defs/Money"},
            "cents": {"type": "integer"},
            "on": {"type": "string", "format": "date"},
            "to": {"type": "array", "items": {"enum": ["ada", "bob"]}},
            "lines": {
                "type": "array",
                "items": {"properties": {"pieces": {"type": "integer"}}, "required": ["pieces"]},
            },
        },
        "additionalProperties": False,
    },
)


def found(*calls: ExpectedCall, forbid: tuple[str, ...] = (), state: tuple[EndState, ...] = ()) -> list[str]:
    """What is found, without the case's id."""
    expect = Expectation(decisions=("call",), calls=calls, forbid=forbid, state=state)
    each = Case(id="x", case_class="positive", messages=(), expect=expect)
    return [str(finding).removeprefix("x at ") for finding in check_cases([each], [*TOOLS, _PAY])]


def pay(**args: Matcher) -> ExpectedCall:
    """A call of `pay`."""
    return ExpectedCall(name="pay", args=args)


def test_a_tool_that_does_not_exist_is_named_with_the_nearest() -> None:
    """A8: as a call and as a forbidden one, which would forbid nothing."""
    assert found(ExpectedCall(name="stock_gte"), forbid=("pigeon", "order_creat")) == [
        "/expect/calls/0/name: there is no tool 'stock_gte'; did you mean stock_get?",
        "/expect/forbid/0/name: there is no tool 'pigeon'",
        "/expect/forbid/1/name: there is no tool 'order_creat'; did you mean order_create?",
    ]


def test_an_end_state_is_read_with_arguments_that_the_tool_takes() -> None:
    """B11: a contract change that breaks the check of a task is seen before anything is asked."""
    holds = {"/pieces": eq(3)}
    states = (
        EndState(read="stock_gte", args={}, holds=holds),
        EndState(read="stock_get", args={"sku": "abc"}, holds=holds),
        EndState(read="stock_get", args={"sku": "ABC-1000"}, holds=holds),
    )

    unknown, unfit = found(ExpectedCall(name="pay"), state=states)

    assert unknown == "/expect/state/0/read: there is no tool 'stock_gte'; did you mean stock_get?"
    assert unfit.startswith("/expect/state/1/args/sku: pattern ")


def test_a_required_argument_has_to_be_named() -> None:
    """A8: any value may be right, but somebody has to have said so; and it can't be absent."""
    args = {"sku": Matcher(kind="absent_or", value=("ABC-1000",)), "pieces": Matcher(kind="any")}

    (unsaid,) = found(ExpectedCall(name="stock_get"))

    assert unsaid.startswith("/expect/calls/0/args: stock_get requires 'sku', and the case says nothing of it; ")
    assert found(ExpectedCall(name="order_create", args=args)) == [
        "/expect/calls/0/args/sku: order_create requires 'sku', so that it cannot be absent"
    ]


def test_an_argument_that_does_not_exist_is_named_with_the_nearest() -> None:
    """A8: unless the tool takes any."""
    open_tool = replace(_PAY, input_schema={**_PAY.input_schema, "additionalProperties": True})
    case = Case(
        id="x",
        case_class="positive",
        messages=(),
        expect=Expectation(decisions=("call",), calls=(pay(cent=eq(1)),)),
    )

    assert found(pay(cent=eq(1))) == ["/expect/calls/0/args/cent: pay has no argument 'cent'; did you mean cents?"]
    assert [*check_cases([case], [open_tool])] == []


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"cents": eq(1)}, []),
        ({"cents": eq("1")}, ["cents/eq: type integer, which the value breaks"]),
        ({"price": eq({})}, ["price/eq: required ['currency'], which the value breaks"]),
        ({"on": Matcher(kind="date", value="2026-01-05")}, []),
        ({"on": Matcher(kind="date", value="2026-13-05")}, ["on/date: format date, which the value breaks"]),
        ({"to": Matcher(kind="set", value=("bob", "ada"))}, []),
        ({"to": Matcher(kind="set", value=("bob", "eve"))}, ["to/set/1: enum ['ada', 'bob'], which the value breaks"]),
        ({"cents": Matcher(kind="one_of", value=(1, "2"))}, ["cents/one_of/1: type integer, which the value breaks"]),
        (
            {"cents": Matcher(kind="absent_or", value=(True,))},
            ["cents/absent_or/0: type integer, which the value breaks"],
        ),
        ({"cents": Matcher(kind="decimal", value="100")}, []),
        ({"cents": Matcher(kind="decimal", value="1.5")}, ["cents/decimal: no way of writing 1.5 fits the schema"]),
        ({"price": Matcher(kind="decimal", value="1.50", currency="EUR")}, []),
        ({"price": Matcher(kind="decimal", value="1.50")}, ["price/decimal: no way of writing 1.50 fits the schema"]),
        ({"cents": Matcher(kind="any")}, []),
        ({"lines": Matcher(kind="items", value=({"pieces": eq(1)}, {"pieces": Matcher(kind="any")}))}, []),
        (
            {"lines": Matcher(kind="items", value=({"pieces": eq(1)}, {"pieces": eq("2")}))},
            ["lines/items/1/pieces: type integer, which the value breaks"],
        ),
        (
            {"lines": Matcher(kind="items", value=({"piece": eq(1)},))},
            ["lines/items/0: required ['pieces'], which the value breaks"],
        ),
    ],
)
def test_every_value_that_is_expected_satisfies_the_schema(args: dict[str, Matcher], expected: list[str]) -> None:
    """A8: of each matcher, with the place of the value and of what is wrong in it."""
    assert [each.removeprefix("/expect/calls/0/args/") for each in found(pay(**args))] == expected


@pytest.mark.parametrize(
    "schema",
    [{}, {"properties": None}, {"required": "sku"}, {"required": [3], "properties": {"sku": True}}, {"type": 5}],
)
def test_a_schema_that_is_none_finds_nothing(schema: JsonObject) -> None:
    """A stranger's list is no fault of the case."""
    tool = OfferedTool(name="odd", description="", input_schema=schema)
    expect = Expectation(decisions=("call",), calls=(ExpectedCall(name="odd", args={"sku": eq(1)}),))
    case = Case(id="x", case_class="positive", messages=(), expect=expect)

    assert [*check_cases([case], [tool])] == []
