"""Everything that ends with its time: good until the millisecond before, and said to be over from then on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from fourfold.model.outcome import Done
from fourfold.testing import Answer, caller
from tests.adapters.gateway import Gateway
from tests.confusion.calls import (
    CREATES,
    EXECUTES,
    Arguments,
    Desk,
    call_with,
    executed,
    repeatable,
    somebody_new,
)
from tests.confusion.ids import TAKES
from tests.confusion.over_store import StoreKit

_PAGED = [tool for tool, places in TAKES.items() if "cursor" in places]
_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS


@pytest.mark.parametrize("tool", EXECUTES)
def test_an_agreed_plan_ends_after_a_quarter_of_an_hour(books: StoreKit, gateway: Gateway, tool: str) -> None:
    """C7, C9: and its approval with it; one that is used in time is answered for later, too."""
    desk = somebody_new(books)
    used, late = desk.agreed(tool), desk.agreed(tool)
    books.clock.ms += 900_000 - 1
    done = desk.execute(tool, used)
    counted = gateway.counts
    books.clock.ms += 1
    expired, again = desk.execute(tool, late), desk.execute(tool, used)

    assert (done.ok, expired.code, expired.writes) == (True, "plan_expired", 0)
    assert (again.replayed, again.structured, gateway.counts) == (True, done.structured, counted)


def test_a_cursor_ends_after_a_day(aging: StoreKit) -> None:
    """B10, C9: on every tool that pages, with how to start again."""
    desk = Desk(aging, caller())
    seconds = {tool: call_with("cursor", tool, desk=desk) for tool in _PAGED}
    aging.clock.ms += _DAY_MS - 1
    in_time = [desk.call(tool, second) for tool, second in seconds.items()]
    aging.clock.ms += 1
    late = [desk.call(tool, second) for tool, second in seconds.items()]

    assert [answer.ok for answer in in_time] == [True] * len(_PAGED)
    assert [(answer.code, answer.paths) for answer in late] == [("cursor_invalid", ["cursor"])] * len(_PAGED)


def test_an_outcome_that_is_kept_no_longer_is_not_made_again(aging: StoreKit) -> None:
    """D1, C9: for 72 hours it is replayed, and for 30 days more it is known that the key was used."""
    desk, key = Desk(aging, caller()), aging.key()
    made = {tool: repeatable(tool, desk) for tool in CREATES}
    first, *later = _after(aging, [0, 72 * _HOUR_MS - 1, 1, 30 * _DAY_MS - 1], calls=made, key=key)

    assert [answer.ok for answer in first] == [True] * len(CREATES)
    assert [answer.outcome for answer in later[0]] == [_replayed(answer) for answer in first]
    for answers in later[1:]:
        assert [(answer.code, answer.writes) for answer in answers] == [("idempotency_expired", 0)] * len(CREATES)
        assert [answer.operation_id for answer in answers] == [answer.operation_id for answer in first]


def test_what_became_of_an_operation_is_told_for_as_long_as_it_is_known(aging: StoreKit) -> None:
    """D1, B10, C9: done, then expired, then as unknown as one that never was."""
    desk = Desk(aging, caller())
    asked = {"operation_id": desk.call("quote_create", desk.order(), key=aging.key()).operation_id}
    told = _after(aging, [0, 72 * _HOUR_MS, 30 * _DAY_MS], calls={"operation_status": asked})
    never = desk.call("operation_status", {"operation_id": f"op_{'0' * 32}"})

    assert [answer.structured.get("state") for (answer,) in told] == ["done", "expired", None]
    assert (never.code, told[2][0].fault) == ("unknown_operation", never.fault)


def test_a_plan_that_was_used_is_known_as_used_for_as_long_as_its_key(aging: StoreKit, gateway: Gateway) -> None:
    """C7, D1, C9: kept or not, and even when the plan itself is gone, nobody is told to make a new one."""
    desk = Desk(aging, caller())
    used = {tool: executed(desk.agreed(tool)) for tool in EXECUTES}
    done, kept, *later = _after(aging, [0, 72 * _HOUR_MS - 1, 1, _HOUR_MS, 29 * _DAY_MS], calls=used)

    assert [answer.outcome for answer in kept] == [_replayed(answer) for answer in done]
    for answers in later:
        assert [(answer.code, answer.writes) for answer in answers] == [("idempotency_expired", 0)] * len(EXECUTES)
        assert [answer.operation_id for answer in answers] == [answer.operation_id for answer in done]
    assert gateway.counts == (1, 1, 1)


def test_a_plan_that_is_long_gone_is_as_one_that_never_was(aging: StoreKit, gateway: Gateway) -> None:
    """C7, C9: used or not, and nothing is done."""
    desk = Desk(aging, caller())
    used = {tool: executed(desk.agreed(tool)) for tool in EXECUTES}
    late = {tool: executed(desk.plan(tool)) for tool in EXECUTES}
    _, _, gone = _after(aging, [0, 72 * _HOUR_MS, 30 * _DAY_MS], calls=used)
    gone += [desk.call(tool, plan) for tool, plan in late.items()]
    never = desk.call("invoice_execute_send", {"plan_id": f"plan_{'0' * 32}", "digest": "0" * 64})

    assert (never.code, [answer.fault for answer in gone]) == ("plan_mismatch", [never.fault] * 6)
    assert ([answer.writes for answer in gone], gateway.counts) == ([0] * 6, (1, 1, 1))


def _after(
    kit: StoreKit, waits: list[int], *, calls: Mapping[str, Arguments], key: str | None = None
) -> list[list[Answer]]:
    """What the calls are answered with after each of the waits, in milliseconds, and a purge at its end."""
    answers: list[list[Answer]] = []
    for ms in waits:
        kit.clock.ms += ms
        kit.purge()
        answers.append([Desk(kit, caller()).call(tool, arguments, key=key) for tool, arguments in calls.items()])
    return answers


def _replayed(answer: Answer) -> Done:
    assert isinstance(answer.outcome, Done)
    return replace(answer.outcome, replayed=True)
