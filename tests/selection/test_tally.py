"""What a run shows, and what two runs show together."""

from __future__ import annotations

from typing import Any

from fourfold.model.case import Case, CaseClass, Expectation, ExpectedCall, Matcher
from fourfold.model.scored import Reason, SampleVerdict
from fourfold.selection.compare import compare, gate
from fourfold.selection.tally import NO_TOOL, Tally
from fourfold.stats.rates import wilson


def _case(number: int, *, tool: str = "refund", case_class: CaseClass = "positive", **more: Any) -> Case:
    calls = (ExpectedCall(name=tool, args={"id": Matcher(kind="eq", value=number)}),) if tool else ()
    expect = Expectation(decisions=("call",) if tool else ("abstain",), calls=calls)
    return Case(id=f"case-{number}", case_class=case_class, messages=(), expect=expect, **more)


def _verdict(case: Case, reason: Reason = "", *, sample: int = 0, chosen: str | None = None, argument: str = "") -> Any:
    wanted = case.expect.calls[0].name if case.expect.calls else ""
    return SampleVerdict(
        case=case.id,
        sample=sample,
        passed=not reason,
        reason=reason,
        argument=argument,
        expected=wanted,
        chosen=wanted if chosen is None else chosen,
    )


def _run(cases: list[Case], *failing: int) -> Tally:
    return Tally(cases, [_verdict(case, "no_call" if at in failing else "") for at, case in enumerate(cases)])


def test_a_rate_has_an_interval_from_ten_cases_on() -> None:
    """B14: below it, the counts are all there is to say."""
    cases = [
        *(_case(number) for number in range(10)),
        *(_case(number, tool="", case_class="ask") for number in (10, 11)),
    ]

    tally = _run(cases, 3)

    assert [(rate.name, rate.passed, rate.counted, rate.interval) for rate in tally.by_class] == [
        ("ask", 2, 2, None),
        ("positive", 9, 10, wilson(9, 10)),
    ]
    assert tally.overall.share == 11 / 12


def test_what_nobody_can_judge_counts_neither_way() -> None:
    """A8: and an answer that never came neither."""
    cases = [_case(number) for number in range(4)]
    verdicts = [
        _verdict(cases[0]),
        _verdict(cases[1], "no_call", chosen=""),
        _verdict(cases[2], "infra_error", chosen=""),
        _verdict(cases[3], "needs_review", chosen=""),
    ]

    tally = Tally(cases, verdicts)

    assert (tally.overall.passed, tally.overall.counted) == (1, 2)
    assert tally.reasons == {"no_call": 1, "infra_error": 1, "needs_review": 1}


def test_the_confusion_map_says_which_tool_was_taken_for_which() -> None:
    """B11: no tool is one of them; an answer that never came is none."""
    send, ask = _case(1, tool="send"), _case(2, tool="", case_class="ask")
    verdicts = [
        _verdict(send),
        _verdict(send, "wrong_tool", chosen="update"),
        _verdict(send, "no_call", chosen=""),
        _verdict(send, "infra_error", chosen=""),
        _verdict(ask, "unexpected_call", chosen="send"),
        _verdict(ask),
    ]

    tally = Tally([send, ask], verdicts)

    assert tally.confusion == {
        ("send", "send"): 1,
        ("send", "update"): 1,
        ("send", NO_TOOL): 1,
        (NO_TOOL, "send"): 1,
        (NO_TOOL, NO_TOOL): 1,
    }
    assert [(rate.name, rate.passed, rate.counted) for rate in tally.abstention] == [
        ("abstention precision", 1, 2),
        ("abstention recall", 1, 2),
    ]


def test_arguments_are_counted_field_by_field() -> None:
    """B11."""
    case = _case(1)
    verdicts = [
        _verdict(case),
        _verdict(case, "value", argument="id"),
        _verdict(case, "unknown_argument", argument="page"),
    ]

    found = Tally([case], verdicts).arguments

    assert [(rate.name, rate.passed, rate.counted) for rate in found] == [("refund.id", 1, 2), ("refund.page", 0, 1)]


def test_samples_of_a_case_hang_together() -> None:
    """B14: one case passes always, one half of the time, so that all two samples pass in half of the cases."""
    cases = [_case(1), _case(2)]
    always, half = cases
    verdicts = [
        _verdict(always),
        _verdict(always, sample=1),
        _verdict(half),
        _verdict(half, "no_call", sample=1),
    ]

    repeats = Tally(cases, verdicts).repeats

    assert repeats is not None
    assert (repeats.samples, repeats.all_pass, repeats.flips) == (2, (0.75, 0.5), 0.5)
    assert _run(cases).repeats is None


def test_a_comparison_names_what_was_fixed_and_broken() -> None:
    """B14: by id, with what the change may be."""
    cases = [_case(number) for number in range(40)]

    found = compare(_run(cases, 1, 2, 3, 4, 5, 6), _run(cases, 7))

    assert found.fixed == tuple(f"case-{number}" for number in range(1, 7))
    assert (found.broken, found.left_out) == (("case-7",), ())
    assert (round(found.p, 3), found.smallest, found.is_worse) == (0.125, 0.23, False)
    assert found.difference.low < 5 / 40 < found.difference.high
    assert [(change.name, change.p) for change in found.slices] == [("positive", found.p)]


def test_cases_that_one_run_has_no_verdict_on_are_left_out_and_named() -> None:
    """B14."""
    cases = [_case(number) for number in range(3)]
    later = Tally(cases, [_verdict(cases[0]), _verdict(cases[1], "infra_error")])

    found = compare(_run(cases), later)

    assert (found.pairs.trials, found.left_out) == (1, ("case-1", "case-2"))


def test_the_gate_fails_on_a_fall_that_is_more_than_chance() -> None:
    """B14: six broken and none fixed is the least; five are a warning."""
    cases = [_case(number) for number in range(40)]
    fall, wobble = _run(cases, 0, 1, 2, 3, 4, 5), _run(cases, 0, 1, 2, 3, 4)

    failed, warned = (gate(after, compare(_run(cases), after)) for after in (fall, wobble))

    assert failed.failures == ("the rate fell by more than chance: 6 broken, 0 fixed, p = 0.031",)
    assert (warned.failures, len(warned.warnings)) == ((), 1)


def test_the_gate_fails_on_one_case_that_must_pass() -> None:
    """B14: if most of its samples fail; one of three is no failure."""
    must = _case(1, must_pass=True)

    def run(*reasons: Reason) -> Tally:
        return Tally([must], [_verdict(must, reason, sample=at) for at, reason in enumerate(reasons)])

    assert gate(run("no_call", "no_call", ""), None).failures == ("case-1 must pass, and fails in most samples",)
    assert gate(run("no_call", "", ""), None).failures == ()
