"""A result stands in the file of its run, without the suite; two may be compared where one thing differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fourfold.errors import ConfigError
from fourfold.model.case import Case
from fourfold.model.chosen import Sampling
from fourfold.model.scored import Rule
from fourfold.model.selected import RunFacts
from fourfold.selection.comparable import differences, refuse_incomparable, tool_changes
from fourfold.selection.history import history
from fourfold.selection.keeping import Beside, kept
from fourfold.selection.recorded import facts_line, recorded_line
from fourfold.selection.result import Result, read_result, verdicts_line
from fourfold.selection.running import RunTerms, facts_of
from fourfold.selection.scoring import score
from fourfold.selection.tally import Tally
from tests.selection.suites import TOOLS, case, eq, recorded, right, shop_suite, wrong

AT = "2026-11-30T10:00:00Z"


def facts(**more: object) -> RunFacts:
    """The facts of a run of the suite."""
    found = facts_of(shop_suite(), TOOLS, chooser="replay:x", terms=RunTerms(samples=1, sampling=Sampling()))
    return replace(found, **more)  # pyright: ignore[reportArgumentType]  # names of its fields


def file_of(cases: Sequence[Case], *, failing: Sequence[str] = (), rule: Rule = "exact", at: str = AT) -> list[bytes]:
    """The file of a run."""
    answers = [recorded(each, wrong(each) if each.id in failing else right(each)) for each in cases]
    tally = Tally(cases, score(cases, answers, tools=TOOLS, rule=rule))
    lines = [facts_line(facts()), *map(recorded_line, answers), verdicts_line(tally, rule=rule, at=at)]
    return [f"{line}\n".encode() for line in lines]


def result(*, failing: Sequence[str] = (), at: str = AT, **more: object) -> Result:
    """The result of such a run, with other facts."""
    found = read_result(file_of(_ORDERS, failing=failing, at=at), name=f"{at}.jsonl")
    return replace(found, facts=facts(**more))


_ORDERS = [
    case(f"s-{at}", f"Is ABC-100{at} there?", tool="stock_get", args={"sku": eq(f"ABC-100{at}")}) for at in range(10)
]


def test_a_result_is_read_back_as_it_was_scored() -> None:
    """A8: cases without their conversations, verdicts, models."""
    cases = [
        case("a", "Is ABC-1000 there?", tool="stock_get", args={"sku": eq("ABC-1000")}, must_pass=True, labels=("x",)),
        case("b", "Rain?", case_class="abstain", split="tune", task_type="talk"),
    ]

    found = read_result(file_of(cases, failing=["a"]), name="r.jsonl")

    assert (found.name, found.at, found.rule, found.models) == ("r.jsonl", AT, "exact", ("written",))
    assert [(each.id, each.case_class, each.split, each.must_pass) for each in found.tally.cases] == [
        ("a", "positive", "holdout", True),
        ("b", "abstain", "tune", False),
    ]
    assert [(each.labels, each.task_type, each.messages) for each in found.tally.cases] == [
        (("x",), "", ()),
        ((), "talk", ()),
    ]
    assert [(each.passed, each.reason, each.expected, each.chosen) for each in found.tally.verdicts] == [
        (False, "wrong_tool", "stock_get", "report_make"),
        (True, "", "", ""),
    ]


def test_the_last_verdicts_count() -> None:
    """B14: the same answers, scored by another rule."""
    lines = [*file_of(_ORDERS), file_of(_ORDERS, rule="lenient")[-1]]

    assert read_result(lines, name="r.jsonl").rule == "lenient"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (file_of(_ORDERS)[:-1], "r.jsonl has no verdicts; run it to its end"),
        ([*file_of(_ORDERS)[:-1], b'{"format": "fourfold/select-verdicts/v1", "rule": "x"}'], "verdicts is broken"),
        ([*file_of(_ORDERS)[:-1], b'{"format": "fourfold/select-verdicts/v1"'], "line 12: is no JSON"),
    ],
)
def test_a_file_without_verdicts_is_no_result(lines: list[bytes], said: str) -> None:
    """And says what to do."""
    with pytest.raises(ConfigError, match=said):
        read_result(lines, name="r.jsonl")


def test_answers_to_a_conversation_that_was_edited_since_are_left_out() -> None:
    """A8: they say nothing about the case as it is."""
    before, after = case("a", "Rain?", case_class="abstain"), case("a", "Snow?", case_class="abstain")

    assert score([after], [recorded(before, right(before))], tools=TOOLS, rule="exact") == ()


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, []),
        (
            {"catalog": "x", "tools": {"stock_get": "x", "new": "y"}},
            ["catalog: added new; removed order_create; changed stock_get"],
        ),
        ({"chooser": "bm25"}, ["chooser: replay:x to bm25"]),
        ({"system": "x"}, ["system prompt: another one, or none"]),
        ({"samples": 3, "temperature": "0.5"}, ["sampling: samples 1 to 3, temperature (none) to 0.5"]),
        ({"suite": "x"}, ["suite: cases were edited"]),
        ({"suite": "x", "cases": 12}, ["suite: 13 to 12 cases"]),
        ({"scorer": "2", "chooser": "y"}, ["chooser: replay:x to y", "scorer: scorer 1 to 2"]),
    ],
)
def test_each_thing_that_differs_is_one_difference(more: dict[str, object], expected: list[str]) -> None:
    """B14: a catalog and its tools are one thing, and so is how a model is sampled."""
    found = differences(result(), replace(result(), facts=facts(**more)))

    assert [f"{each.kind}: {each.detail}" for each in found] == expected


def test_another_version_behind_the_same_name_is_a_difference() -> None:
    """B14: what the provider says has answered; and the rule is one, too."""
    later = replace(result(), models=("written-2",), rule="lenient")

    found = differences(result(), later)

    assert [(each.kind, each.detail) for each in found] == [
        ("model version", "written to written-2"),
        ("rule", "exact to lenient"),
    ]
    with pytest.raises(ConfigError, match=r"a and b differ in 2 things.*model version \(written to written-2\); rule"):
        refuse_incomparable(found, before="a", after="b")
    refuse_incomparable(found[:1], before="a", after="b")


def test_the_tools_that_changed_are_told_apart() -> None:
    """A8."""
    changes = tool_changes(facts(tools={"a": "1", "b": "1", "c": "1"}), facts(tools={"b": "2", "c": "1", "d": "1"}))

    assert (changes.added, changes.removed, changes.changed) == (("d",), ("a",), ("b",))


def test_a_history_is_told_from_its_oldest_result() -> None:
    """B14: a catalog that changed goes on, another suite begins anew; what falls out of the past is marked."""
    every = [each.id for each in _ORDERS]
    weeks = [result(at=f"2026-11-{day:02}T10:00:00Z") for day in range(10, 30)]
    later = result(at="2026-11-30T10:00:00Z", failing=every, catalog="x")
    anew = result(at="2026-12-01T10:00:00Z", suite="x", catalog="x")

    looks = [*history([kept(each, Beside()) for each in (anew, later, *weeks)])]

    assert [look.result.at[5:10] for look in looks][:1] == ["11-10"]
    assert [look.turn for look in looks] == [*[""] * 20, "fell", ""]
    assert [look.is_first for look in looks] == [True, *[False] * 20, True]
    assert [each.kind for each in looks[20].changes] == ["catalog"]
    assert (looks[20].result.cases_right, looks[20].result.cases) == (0, 10)
