"""A suite about two tools of a shop, and answers to it that were written and not asked. Owns no judgement."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from fourfold.contracts.case_file import case_line
from fourfold.model.case import Case, CaseClass, Expectation, ExpectedCall, Matcher
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Usage
from fourfold.selection.digest import messages_digest
from fourfold.selection.recorded import Recorded, recorded_line

__all__ = [
    "TOOLS",
    "answer",
    "case",
    "eq",
    "lines_of",
    "recorded",
    "replay_text",
    "right",
    "shop_suite",
    "suite_text",
    "wrong",
]

_SKU = {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"}
TOOLS = (
    OfferedTool(
        name="stock_get",
        description="Tell how many pieces of an article are in stock.",
        input_schema={"type": "object", "properties": {"sku": _SKU}, "required": ["sku"]},
    ),
    OfferedTool(
        name="order_create",
        description="Order pieces of one article for a customer.",
        input_schema={
            "type": "object",
            "properties": {"customer": {"type": "string"}, "sku": _SKU, "pieces": {"type": "integer", "minimum": 1}},
            "required": ["sku", "pieces"],
        },
    ),
)


def case(
    name: str,
    said: str,
    *,
    tool: str = "",
    args: dict[str, Matcher] | None = None,
    case_class: CaseClass = "positive",
    reviewed: bool = True,
    **more: Any,
) -> Case:
    """A case of one message: a call of `tool`, or none."""
    calls = (ExpectedCall(name=tool, args=args or {}),) if tool else ()
    expect = Expectation(decisions=("call",) if tool else ("abstain",), calls=calls)
    messages = ({"role": "user", "content": said},)
    return Case(id=name, case_class=case_class, messages=messages, expect=expect, reviewed=reviewed, **more)


def eq(value: object) -> Matcher:
    """Equals `value`."""
    return Matcher(kind="eq", value=value)


def shop_suite() -> list[Case]:
    """Six cases of stock, six of orders of which the first must pass, and one of neither."""
    stock = [
        case(
            f"stock-{at}",
            f"Is ABC-100{at} there?",
            tool="stock_get",
            args={"sku": eq(f"ABC-100{at}")},
            labels=("shelf",),
        )
        for at in range(6)
    ]
    orders = [
        case(
            f"order-{at}",
            f"I take {at + 1} of ABC-100{at} for C001",
            tool="order_create",
            args={"customer": eq("C001"), "sku": eq(f"ABC-100{at}"), "pieces": eq(at + 1)},
            case_class="near_neighbour",
            must_pass=at == 0,
        )
        for at in range(6)
    ]
    return [*stock, *orders, case("rain", "Will it rain?", case_class="abstain")]


def right(expected: Case) -> Choice:
    """What the case wants."""
    if not expected.expect.calls:
        return Choice(text="I can't do that.", model="written")
    call = expected.expect.calls[0]
    arguments = {name: matcher.value for name, matcher in call.args.items()}
    return answer(ChosenCall(name=call.name, arguments=arguments))


def wrong(_: Case) -> Choice:
    """A call of a tool that no case wants."""
    return answer(ChosenCall(name="report_make", arguments={}))


def answer(*calls: ChosenCall) -> Choice:
    """Calls that took 100 tokens in, 20 out, and half a second."""
    usage = Usage(input_tokens=100, output_tokens=20)
    return Choice(calls=calls, model="written", usage=usage, seconds=0.5, first_token_s=0.1)


def suite_text(cases: Iterable[Case]) -> str:
    """A file of cases."""
    return "".join(f"{case_line(each)}\n" for each in cases)


def replay_text(cases: Iterable[Case], *, failing: Collection[str] = (), samples: int = 1) -> str:
    """A file for `replay:`; the cases in `failing` are answered wrongly."""
    return "".join(
        f"{recorded_line(recorded(each, wrong(each) if each.id in failing else right(each), sample=sample))}\n"
        for each in cases
        for sample in range(samples)
    )


def recorded(asked: Case, choice: Choice, *, sample: int = 0) -> Recorded:
    """An answer to the case as it is."""
    return Recorded(case=asked.id, sample=sample, messages=messages_digest(asked.messages), choice=choice)


def lines_of(path: Path) -> list[Any]:
    """The objects of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
