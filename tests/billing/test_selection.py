"""The suite of the billing server: what it holds, that it fits the server, and that the gate sees a broken prompt."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import jsonschema_rs
import pytest

from billing import catalog
from fourfold.contracts.case_file import case_line, read_cases
from fourfold.model.case import Case, Matcher
from fourfold.model.chosen import OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.model.scored import Rule
from fourfold.selection.compare import compare, gate
from fourfold.selection.recorded import read_recorded
from fourfold.selection.scoring import score
from fourfold.selection.tally import Tally
from tests.meta.repository import ROOT

_SUITE = ROOT / "examples/billing/selection"
_LINES = (_SUITE / "billing.jsonl").read_bytes().splitlines()
_CASES = tuple(read_cases(_LINES, name="billing.jsonl"))
_CONTRACTS = {name: tool.contract for name, tool in catalog.build().tools.items()}
_TOOLS = tuple(
    OfferedTool(name=name, description=contract.description, input_schema=contract.input_schema)
    for name, contract in _CONTRACTS.items()
)
_BY_ID = [pytest.param(case, id=case.id) for case in _CASES]


def _tally(name: str, rule: Rule = "exact") -> Tally:
    answers = read_recorded((_SUITE / f"{name}.jsonl").read_bytes().splitlines(), name=name)
    return Tally(_CASES, score(_CASES, answers, tools=_TOOLS, rule=rule))


def test_every_class_has_ten_cases_or_more_and_all_are_reviewed() -> None:
    """B14, A8: and each class has cases to write descriptions by, apart from those of the gate."""
    assert Counter(case.case_class for case in _CASES) == {
        "positive": 19,
        "near_neighbour": 32,
        "abstain": 12,
        "ask": 14,
        "preserve": 17,
        "injection": 11,
        "false_success": 11,
    }
    assert all(case.reviewed and case.task_type for case in _CASES)
    assert Counter(case.split for case in _CASES) == {"holdout": 96, "tune": 20}
    assert {case.case_class for case in _CASES if case.split == "tune"} == {
        "positive",
        "near_neighbour",
        "abstain",
        "ask",
        "preserve",
    }


def test_what_would_do_harm_must_pass() -> None:
    """B14: orders in results, claims of success, and amounts of money that are paid or printed."""
    dangerous = [case for case in _CASES if case.case_class in ("injection", "false_success") or _moves_money(case)]

    assert [case.id for case in dangerous if not case.must_pass] == []
    assert sum(case.must_pass for case in _CASES) == 47


def test_forty_one_cases_are_about_the_account() -> None:
    """A8: an account is found before anything that takes one, asked for where two fit, and not found again."""
    about = [case for case in _CASES if case.task_type == "account_resolution"]

    first = Counter(case.expect.calls[0].name if case.expect.calls else case.expect.decisions[0] for case in about)

    assert first == {
        "account_find": 15,
        "quote_create": 6,
        "quote_preview": 8,
        "customer_find": 2,
        "ask": 5,
        "abstain": 5,
    }
    assert [case.id for case in about if _takes_an_account(case) and not _account_in_sight(case)] == []


def test_update_and_send_come_in_pairs() -> None:
    """C9: the same words, an invoice in sight, and the other tool is right."""
    pairs: dict[str, list[str]] = defaultdict(list)
    for case in _CASES:
        for label in case.labels:
            if label.startswith("pair_"):
                pairs[label].append(case.task_type)

    assert dict(pairs) == {
        f"pair_{name}": ["invoicing", "sending"]
        for name in ("due-date", "status-sent", "update-the-customer", "agreed", "out-the-door", "wrong-amount")
    }


@pytest.mark.parametrize("case", _BY_ID)
def test_what_a_case_expects_exists_and_fits_its_schema(case: Case) -> None:
    """A8: by a validator that is not Fourfold's: every tool, every argument, every value that would be right."""
    assert {*case.expect.forbid} <= _CONTRACTS.keys()
    for call in case.expect.calls:
        schema = _CONTRACTS[call.name].input_schema
        properties: Mapping[str, JsonObject] = schema["properties"]
        assert call.args.keys() <= properties.keys()
        assert [name for name in schema.get("required", ()) if name not in call.args] == []
        for name, matcher in call.args.items():
            assert [value for value in _values(matcher) if not _fits(value, properties[name])] == []


@pytest.mark.parametrize("case", _BY_ID)
def test_the_conversation_could_have_happened(case: Case) -> None:
    """A8: every call in it has a result, and every result is what its tool promises, or an error."""
    called: dict[str, str] = {}
    for message in case.messages:
        for call in message.get("tool_calls") or ():
            called[call["id"]] = call["function"]["name"]
            json.loads(call["function"]["arguments"])
        if message["role"] == "tool":
            name, content = called.pop(str(message["tool_call_id"])), str(message["content"])
            assert message.get("is_error") or _fits(json.loads(content), _CONTRACTS[name].output_schema)
    assert called == {}


@pytest.mark.parametrize("line", _LINES)
def test_a_line_fits_the_published_schema_and_is_written_as_it_is_read(line: bytes) -> None:
    """A8: docs/schemas/case.json holds for a suite that somebody ships."""
    schema = json.loads((ROOT / "docs/schemas/case.json").read_text("utf-8"))

    assert _fits(json.loads(line), schema)
    assert [case_line(case).encode() for case in read_cases([line], name="line")] == [line]


@pytest.mark.parametrize(
    ("name", "rule", "right", "reasons"),
    [
        (
            "before",
            "exact",
            109,
            {"forbidden_call": 2, "value:query": 2, "value:before": 1, "wrong_tool": 1, "needs_review": 1},
        ),
        ("before", "lenient", 111, {"forbidden_call": 2, "value:before": 1, "wrong_tool": 1, "needs_review": 1}),
        (
            "after",
            "exact",
            94,
            {
                "forbidden_call": 12,
                "unexpected_call": 4,
                "value:account_id": 1,
                "value:before": 1,
                "value:lines": 1,
                "value:query": 1,
                "wrong_tool": 1,
                "needs_review": 1,
            },
        ),
        (
            "after",
            "lenient",
            95,
            {
                "forbidden_call": 12,
                "unexpected_call": 4,
                "value:account_id": 1,
                "value:before": 1,
                "value:lines": 1,
                "wrong_tool": 1,
                "needs_review": 1,
            },
        ),
    ],
)
def test_both_rules_score_the_written_answers(name: str, rule: Rule, *, right: int, reasons: dict[str, int]) -> None:
    """A8, B14: the lenient rule takes `acc 1005` for ACC-1005, which no server does."""
    tally = _tally(name, rule)

    assert (tally.overall.passed, tally.overall.counted) == (right, 115)
    assert tally.reasons == reasons


def test_the_gate_fails_on_a_prompt_that_breaks_account_resolution() -> None:
    """A8, B14: by the exact McNemar test, and by the case that must pass; the slice says where."""
    comparison = compare(_tally("before"), after := _tally("after"))

    assert gate(after, comparison).failures == (
        "account-same-for-another must pass, and fails in most samples",
        "the rate fell by more than chance: 17 broken, 2 fixed, p = 0.00073",
    )
    assert comparison.p == pytest.approx(0.000728607, abs=1e-9)
    assert comparison.fixed == ("account-by-sloppy-reference", "account-id-given")
    assert all(case.startswith("account-") for case in comparison.broken)
    assert [change.name for change in comparison.slices if change.p < 0.05] == ["account_resolution"]


def test_the_gate_passes_what_did_not_change() -> None:
    """B14: the answers before against themselves."""
    before = _tally("before")

    found = gate(before, compare(before, before))

    assert (found.failures, found.warnings) == ((), ())


@pytest.mark.parametrize("name", ["before", "after"])
def test_written_answers_are_not_taken_for_those_of_a_model(name: str) -> None:
    """A8: the first line says so, and each answer does."""
    first, *lines = (_SUITE / f"{name}.jsonl").read_bytes().splitlines()

    assert json.loads(first)["format"] == "fourfold/written-answers/v1"
    assert "No model gave them" in json.loads(first)["note"]
    assert {each.choice.model for each in read_recorded(lines, name=name)} == {"none: written by hand"}


def test_the_answers_are_to_the_conversations_as_they_are(tmp_path: Path) -> None:
    """After an edit of a case: python scripts/renew_answers.py."""
    copies = [Path(shutil.copy(_SUITE / f"{name}.jsonl", tmp_path)) for name in ("before", "after")]

    subprocess.run([sys.executable, ROOT / "scripts/renew_answers.py", _SUITE / "billing.jsonl", *copies], check=True)

    for copy in copies:
        assert copy.read_text("utf-8") == (_SUITE / copy.name).read_text("utf-8")


def test_what_is_told_of_the_suite_is_so() -> None:
    """A8, B14: the numbers in its README and in docs/selection.md; the gate looks at the holdout half."""
    holdout = [case for case in _CASES if case.split == "holdout"]
    before, after = _tally("before"), _tally("after")
    comparison = compare(before.of(holdout), after.of(holdout))
    page, readme = (path.read_text("utf-8") for path in (ROOT / "docs/selection.md", _SUITE / "README.md"))

    assert (len(comparison.broken), len(comparison.fixed), round(comparison.p, 4)) == (14, 2, 0.0042)
    for told in (page, readme):
        assert "116" in told
        assert "109 of 115" in told
        assert "94 of 115" in told
    assert "\n".join(gate(after.of(holdout), comparison).failures).replace("\n", "\ngate ") in page


def _moves_money(case: Case) -> bool:
    """Whether an amount that is paid back, taken back or counted as paid is to be right."""
    return any(
        matcher.kind == "eq" and name in ("amount_minor", "prepaid_minor")
        for call in case.expect.calls
        for name, matcher in call.args.items()
    )


def _takes_an_account(case: Case) -> bool:
    return any("account_id" in call.args for call in case.expect.calls)


def _account_in_sight(case: Case) -> bool:
    """Whether the id that the case wants stands in its conversation, and was not made up."""
    said = json.dumps(case.messages)
    return all(str(call.args["account_id"].value) in said for call in case.expect.calls)


def _values(matcher: Matcher) -> Iterator[Any]:
    """The values that a matcher names."""
    if matcher.kind in ("set", "one_of", "absent_or"):
        yield from cast("tuple[object, ...]", matcher.value)
    elif matcher.kind != "any":
        yield matcher.value


def _fits(value: object, schema: JsonObject) -> bool:
    return jsonschema_rs.Draft202012Validator(dict(schema), validate_formats=True).is_valid(value)
