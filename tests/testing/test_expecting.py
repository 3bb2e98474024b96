"""`assert_result` and `assert_fault`: what they hold on to, and what a person reads when they do not hold."""

from __future__ import annotations

import shutil
from importlib.metadata import entry_points

import pytest

from fourfold.model.fault import FaultDetail, Problem, Retry
from fourfold.model.outcome import Done, Invalid, Refused
from fourfold.testing import Answer, assert_fault, assert_result
from tests.meta.repository import ROOT

pytest_plugins = ["pytester"]

_LOADED = [] if entry_points(group="pytest11", name="fourfold") else ["-p", "fourfold.pytest_plugin"]
_FAILING = """
from fourfold.testing import assert_fault, assert_result


def test_a_result(call):
    assert_result(call("stock_get", {"sku": "LOW-0002"}), {"level": "plenty", "pieces": 3})


def test_a_fault(call):
    assert_fault(call("order_create", {"customer": "C001", "sku": "ABC-1234"}), code="unknown_article", path="sku")
"""


class AnyText:
    """Equals every text."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str)

    __hash__ = None  # type: ignore[assignment]  # it equals what has other hashes


def done(structured: str) -> Answer:
    """A success with that result."""
    return Answer(Done(structured=structured.encode(), run_id="run_1", text=""), writes=0)


def invalid(*problems: Problem, writes: int | None = 0) -> Answer:
    """A refusal of arguments."""
    spec = FaultDetail(
        code="invalid_arguments", retry=Retry.NEVER, message="No.", next_step="Mend them.", problems=problems
    )
    return Answer(Invalid(fault=spec, run_id="run_1"), writes=writes)


def said(answer: Answer, expected: dict[str, object]) -> list[str]:
    """The lines of the failure."""
    with pytest.raises(AssertionError) as failure:
        assert_result(answer, expected)
    return str(failure.value).splitlines()


def test_a_result_that_is_the_expected_one_passes() -> None:
    """A7: whole; what no test can know is expected as something that equals it."""
    assert_result(
        done('{"id": "n_81", "lines": [{"n": 1.5}]}'), {"id": AnyText(), "lines": [{"n": pytest.approx(1.5)}]}
    )


def test_each_difference_is_a_line_with_its_path() -> None:
    """A7: what is missing, what is too much, what is another value or of another type."""
    answered = done('{"a": {"b": [1, 2]}, "more": null, "is_paid": true}')

    assert said(answered, {"a": {"b": [1, "2", 3]}, "left": "x", "is_paid": 1}) == [
        "the result is not the expected one",
        '  a.b.1: expected "2", answered 2',
        "  a.b.2: expected 3, answered nothing",
        '  left: expected "x", answered nothing',
        "  is_paid: expected 1, answered true",
        "  more: expected nothing, answered null",
    ]


def test_a_long_failure_is_cut_and_says_so() -> None:
    """A7: nobody reads a thousand differences, and a long value hides the others."""
    many = said(done("{}"), {f"n{number}": number for number in range(25)})
    long = said(done("{}"), {"text": "é" * 5_000})

    assert (len(many), many[-1]) == (22, "  and 5 more")
    assert long[1] == '  text: expected "' + "é" * 199 + "… (5,002 characters), answered nothing"


def test_a_fault_instead_of_a_result_is_shown_with_its_problems() -> None:
    """A7: the reason of the failure is what somebody has to see."""
    answer = invalid(Problem(pointer="/lines/0/sku", code="pattern_mismatch", expected="three letters"))

    assert said(answer, {}) == [
        "expected a result",
        "  answered: invalid, invalid_arguments",
        "  message: No.",
        "  lines.0.sku: pattern_mismatch, expected three letters",
    ]


def test_a_fault_is_expected_by_its_code_and_its_path() -> None:
    """A7, A2: and with nothing written, unless a test says otherwise; a refusal has its reason for a code."""
    problem = Problem(pointer="/sku", code="missing", expected="text")

    assert_fault(invalid(problem), code="invalid_arguments", path="sku")
    assert_fault(invalid(problem, writes=None), code="invalid_arguments")
    assert_fault(invalid(problem, writes=2), code="invalid_arguments", writes=2)
    assert_fault(Answer(Refused(reason="unknown_tool", run_id="run_1")), code="unknown_tool")


@pytest.mark.parametrize(
    ("answer", "path", "text"),
    [
        (done('{"n": 1}'), None, 'expected invalid_arguments\n  answered: done\n  result: {"n": 1}'),
        (
            invalid(Problem(pointer="/o", code="p", expected="q")),
            "s",
            "expected no_such at s\n  answered: invalid, invalid_arguments\n  message: No.\n  o: p, expected q",
        ),
        (
            invalid(writes=2),
            None,
            "expected invalid_arguments and nothing written; the handler wrote 2 rows",
        ),
    ],
)
def test_another_answer_than_the_fault_is_shown(answer: Answer, path: str | None, text: str) -> None:
    """A7, A2: a success, another place, rows that were written all the same."""
    code = "no_such" if path else "invalid_arguments"
    with pytest.raises(AssertionError) as failure:
        assert_fault(answer, code=code, path=path)

    assert str(failure.value) == text


def test_pytest_shows_the_differences_and_no_line_of_ours(pytester: pytest.Pytester) -> None:
    """A7: with the fixtures of the plugin, over a catalog."""
    shutil.copy(ROOT / "tests/cli/catalogs/shop.py", pytester.path)
    pytester.makepyfile(test_own=_FAILING)

    result = pytester.runpytest_subprocess(
        *_LOADED, "-p", "no:cacheprovider", "--fourfold", "shop:catalog", "-m", "not fourfold"
    )

    result.stdout.fnmatch_lines(
        [
            "E * AssertionError: the result is not the expected one",
            'E *   level: expected "plenty", answered "low"',
            "E * AssertionError: expected unknown_article at sku",
            "E *   answered: invalid, invalid_arguments",
            "E *   pieces: missing_argument, expected *",
        ]
    )
    result.stdout.no_fnmatch_line("*expecting.py*")
    assert result.parseoutcomes()["failed"] == 2
