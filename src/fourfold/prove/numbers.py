"""Numbers that a schema takes, at its limits and within, and numbers that it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf, nextafter

from fourfold.contracts.strict_json import MAX_SAFE_INTEGER, Json
from fourfold.model.contract import JsonObject
from fourfold.prove.sample import Unmakeable

__all__ = ["a_number", "other_numbers", "wrong_numbers"]

_BY_FORMAT = {"int32": 2**31 - 1, "int64": MAX_SAFE_INTEGER}
_USUAL = (1, 10, 100, 2, 0, -1)


@dataclass(frozen=True, slots=True)
class _Span:
    """The numbers from `low` to `high`, `step` apart from 0; `None` where there is no limit, or no step."""

    low: Fraction | None
    high: Fraction | None
    step: Fraction | None

    def holds(self, number: Fraction) -> bool:
        above = self.low is None or number >= self.low
        below = self.high is None or number <= self.high
        return above and below and (self.step is None or number % self.step == 0)


def a_number(schema: JsonObject, *, large: bool = False) -> int | float:
    """One number that the schema takes; a usual one, or the largest that it names.

    Raises:
        Unmakeable: there is none.
    """
    span = _span(schema)
    ends = [each for each in (span.high, span.low) if each is not None]
    usual = [Fraction(each) for each in _USUAL]
    steps = [] if span.step is None else [span.step]
    found = next((each for each in ((*ends, *usual) if large else (*usual, *steps, *ends)) if span.holds(each)), None)
    if found is None:
        raise Unmakeable("multipleOf" if "multipleOf" in schema else "minimum", "")
    return _written(found)


def other_numbers(schema: JsonObject) -> Iterator[tuple[str, int | float]]:
    """More numbers that the schema takes: each side of every limit, and the far ends where there is none."""
    span = _span(schema)
    step = span.step or Fraction(1)
    near = [span.low, None if span.low is None else span.low + step]
    near += [span.high, None if span.high is None else span.high - step]
    far = [Fraction(each) for each in (0, -1, MAX_SAFE_INTEGER, -MAX_SAFE_INTEGER)]
    odd = [] if span.step else [Fraction(str(each)) for each in (0.1, 1e-300, 1e300)]
    inside = [each for each in (*near, *far, *odd) if each is not None and span.holds(each)]
    yield from (("boundary", _written(each)) for each in dict.fromkeys(inside))


def wrong_numbers(schema: JsonObject) -> Iterator[tuple[str, int | float]]:
    """Numbers that the schema refuses, each with what is wrong with it."""
    span = _span({**schema, "format": ""})
    step = span.step or Fraction(1)
    if span.low is not None:
        yield "too_small", _written(span.low - step)
        yield "too_small", -MAX_SAFE_INTEGER
    if span.high is not None:
        yield "too_large", _written(span.high + step)
        yield "too_large", 2**63
        yield "too_large", 1e300
    if schema.get("type") == "integer":
        yield "wrong_type", float(a_number(schema)) + 0.5
    elif span.step is not None:
        yield "not_multiple", _written(Fraction(str(a_number(schema))) + step / 2)


def _span(schema: JsonObject) -> _Span:
    whole = schema.get("type") == "integer"
    apart = _exact(schema.get("multipleOf"))
    step = Fraction(1) if apart is None and whole else apart
    if whole and step is not None and step.denominator > 1:
        step = Fraction(step.numerator)
    most = _BY_FORMAT.get(str(schema.get("format")))
    lows = [_low(_exact(schema.get("minimum")), step), _above(_exact(schema.get("exclusiveMinimum")), step)]
    highs = [_high(_exact(schema.get("maximum")), step), _below(_exact(schema.get("exclusiveMaximum")), step)]
    low = max((each for each in lows if each is not None), default=None if most is None else Fraction(-most))
    high = min((each for each in highs if each is not None), default=None if most is None else Fraction(most))
    return _Span(low, high, step)


def _exact(value: Json) -> Fraction | None:
    """A number as it is written; nothing for what is none, such as the truths that draft 4 had here."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < inf:
        return None
    return Fraction(str(value))


def _low(limit: Fraction | None, step: Fraction | None) -> Fraction | None:
    return limit if limit is None or step is None else ceil(limit / step) * step


def _high(limit: Fraction | None, step: Fraction | None) -> Fraction | None:
    return limit if limit is None or step is None else floor(limit / step) * step


def _above(limit: Fraction | None, step: Fraction | None) -> Fraction | None:
    if limit is None:
        return None
    return Fraction(str(nextafter(float(limit), inf))) if step is None else (floor(limit / step) + 1) * step


def _below(limit: Fraction | None, step: Fraction | None) -> Fraction | None:
    if limit is None:
        return None
    return Fraction(str(nextafter(float(limit), -inf))) if step is None else (ceil(limit / step) - 1) * step


def _written(number: Fraction) -> int | float:
    return number.numerator if number.denominator == 1 and abs(number) <= 2**64 else float(number)
