"""`assert_result` and `assert_fault`: assertions whose failures show place by place what was expected and answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import cast

from fourfold.model.fault import FaultDetail
from fourfold.testing.answer import Answer

__all__ = ["assert_fault", "assert_result"]

_SHOWN = 20
"""Differences of one answer that are shown; what follows is counted."""

_LONGEST = 200
"""Characters of a value that are shown."""


class _Nothing:
    """Stands where one of the two sides has no value."""

    def __repr__(self) -> str:
        return "nothing"


_NOTHING = _Nothing()


def assert_result(answer: Answer, expected: Mapping[str, object]) -> None:
    """The call succeeded, and its structured result is `expected`, whole.

    A value that no test can know is expected as any object that says itself what it equals, such as `pytest.approx` or
    `unittest.mock.ANY`. `true` and `1` are different values, as they are in JSON.

    Raises:
        AssertionError: it is another one, or the call did not succeed. The message has a line for each difference.
    """
    __tracebackhide__ = True
    if not answer.ok:
        raise AssertionError(_lines("expected a result", _said(answer)))
    found = [*_differences(expected, answer.structured)]
    if found:
        shown = [f"  {line}" for line in found[:_SHOWN]]
        more = [f"  and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        raise AssertionError(_lines("the result is not the expected one", [*shown, *more]))


def assert_fault(answer: Answer, *, code: str, path: str | None = None, writes: int = 0) -> None:
    """The call was answered with the fault `code`, and its handler has left nothing behind.

    Args:
        answer: what the call was answered with.
        code: the fault's code, or the reason of a refusal.
        path: the one place that is wrong, such as `lines.0.sku`; left out, every place will do.
        writes: rows that were written all the same. It is not asked where nobody counted them.

    Raises:
        AssertionError: it is another one. The message says what was answered, with every problem.
    """
    __tracebackhide__ = True
    expected = f"expected {code}" + (f" at {path}" if path else "")
    if answer.code != code:
        raise AssertionError(_lines(expected, _said(answer)))
    if path is not None and answer.paths != [path]:
        raise AssertionError(_lines(expected, _said(answer)))
    if answer.writes not in (None, writes):
        wanted = "nothing" if writes == 0 else f"{writes} rows"
        raise AssertionError(f"{expected} and {wanted} written; the handler wrote {answer.writes} rows")


def _lines(first: str, others: Iterable[str]) -> str:
    return "\n".join([first, *others])


def _said(answer: Answer) -> Iterator[str]:
    """What a call was answered with: its kind, its fault, and where the arguments were wrong."""
    yield f"  answered: {answer.kind}" + (f", {answer.code}" if answer.code else "")
    if answer.ok:
        yield f"  result: {_shown(answer.structured)}"
    if answer.fault is not None:
        yield from _fault(answer.fault)


def _fault(fault: FaultDetail) -> Iterator[str]:
    yield f"  message: {fault.message}"
    for problem in fault.problems:
        yield f"  {problem.path or 'the arguments'}: {problem.code}, expected {problem.expected}"
    if fault.reference:
        yield f"  the exception is in the note of the run: kit.runs()[0].note ({fault.reference})"


def _differences(expected: object, answered: object, path: str = "") -> Iterator[str]:
    """A line for each place at which the two differ."""
    pairs = _pairs(expected, answered)
    if pairs is not None:
        for name, (wanted, found) in pairs.items():
            yield from _differences(wanted, found, f"{path}.{name}" if path else name)
    elif not _equal(expected, answered):
        yield f"{path or 'the result'}: expected {_shown(expected)}, answered {_shown(answered)}"


def _pairs(expected: object, answered: object) -> dict[str, tuple[object, object]] | None:
    """What stands inside of two objects, or of two lists, side by side; `None` for anything else."""
    if isinstance(expected, Mapping) and isinstance(answered, Mapping):
        wanted, found = cast("Mapping[str, object]", expected), cast("Mapping[str, object]", answered)
        return {name: (wanted.get(name, _NOTHING), found.get(name, _NOTHING)) for name in [*wanted, *found]}
    if isinstance(expected, list | tuple) and isinstance(answered, list):
        sides = cast("Sequence[object]", expected), cast("list[object]", answered)
        return {str(index): pair for index, pair in enumerate(zip_longest(*sides, fillvalue=_NOTHING))}
    return None


def _equal(expected: object, answered: object) -> bool:
    is_json = isinstance(expected, str | int | float | _Nothing | None)
    return expected == answered and not (is_json and isinstance(expected, bool) is not isinstance(answered, bool))


def _shown(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"
