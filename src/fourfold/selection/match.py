"""Whether one argument is what a case expects: eight matchers, each with its own idea of the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import cast

from fourfold.model.case import Matcher, MatcherKind, items_of

__all__ = ["ABSENT", "matches", "same"]

ABSENT = object()
"""The value of an argument that was not given."""

_AMOUNT_KEYS = ("amount", "value")
_MONEY = re.compile(r"([A-Z]{3})\s*(-?[\d.]+)|(-?[\d.]+)\s*([A-Z]{3})")


def matches(matcher: Matcher, value: object) -> bool:
    """Whether `value` is right; `ABSENT` stands for an argument that was not given."""
    if value is ABSENT:
        return matcher.kind == "absent_or"
    return _BY_KIND[matcher.kind](matcher, value)


def same(one: object, other: object) -> bool:
    """Equality of JSON values: numbers by what they are worth, and true is not 1."""
    # Before numbers: in Python, true is an int and equals 1.
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        first, second = cast("Sequence[object]", one), cast("Sequence[object]", other)
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        left, right = cast("Mapping[str, object]", one), cast("Mapping[str, object]", other)
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return one == other and isinstance(one, str | None) and isinstance(other, str | None)


def _equal(matcher: Matcher, value: object) -> bool:
    return same(matcher.value, value)


def _one_of(matcher: Matcher, value: object) -> bool:
    return any(same(member, value) for member in cast("Sequence[object]", matcher.value))


def _items(matcher: Matcher, value: object) -> bool:
    """A list of objects in this order, each with exactly the members that have a matcher."""
    wanted = items_of(matcher)
    if not isinstance(value, list | tuple) or len(cast("Sequence[object]", value)) != len(wanted):
        return False
    return all(map(_object, wanted, cast("Sequence[object]", value)))


def _object(wanted: Mapping[str, Matcher], value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    given = cast("Mapping[str, object]", value)
    return given.keys() <= wanted.keys() and all(
        matches(each, given.get(name, ABSENT)) for name, each in wanted.items()
    )


def _is_there(_: Matcher, __: object) -> bool:
    return True


def _members(matcher: Matcher, value: object) -> bool:
    """The same members, each as often, in any order."""
    if not isinstance(value, list | tuple):
        return False
    left = [*cast("Sequence[object]", value)]
    for member in cast("Sequence[object]", matcher.value):
        index = next((at for at, each in enumerate(left) if same(member, each)), None)
        if index is None:
            return False
        del left[index]
    return not left


def _same_day(matcher: Matcher, value: object) -> bool:
    """The same day, or the same instant where the expected one has a time."""
    expected = str(matcher.value)
    if not isinstance(value, str):
        return False
    try:
        if len(expected) == len("2026-01-05"):
            return date.fromisoformat(expected) == datetime.fromisoformat(value).date()
        return _instant(expected) == _instant(value)
    except ValueError:
        return False


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    # A time without a zone is taken for UTC, so that it is never compared by where the test runs.
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _same_number(matcher: Matcher, value: object) -> bool:
    amount, currency = _money(value)
    return amount == Decimal(str(matcher.value)) and (not matcher.currency or currency == matcher.currency)


def _money(value: object) -> tuple[Decimal | None, str]:
    """The number in `value`, and the currency that stands with it."""
    if isinstance(value, Mapping):
        facts = cast("Mapping[str, object]", value)
        amount = next((facts[key] for key in _AMOUNT_KEYS if key in facts), None)
        return _number(amount), str(facts.get("currency", ""))
    if isinstance(value, str) and (found := _MONEY.fullmatch(value.strip())):
        return _number(found[2] or found[3]), found[1] or found[4]
    return _number(value), ""


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    # By its digits: Decimal(0.1) would be what the float holds, and equal no 0.1 that anybody writes.
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


_BY_KIND: Mapping[MatcherKind, Callable[[Matcher, object], bool]] = {
    "eq": _equal,
    "date": _same_day,
    "decimal": _same_number,
    "set": _members,
    "one_of": _one_of,
    "any": _is_there,
    "absent_or": _one_of,
    "items": _items,
}
