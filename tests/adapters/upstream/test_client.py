"""`HttpUpstream` against the payment gateway: what is sent again, when, with which key, and when it ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from fourfold.adapters.upstream import HttpUpstream, UpstreamTerms
from fourfold.model.fault import UpstreamUnavailable
from fourfold.testing import FixedClock
from payment_gateway import Trouble
from tests.adapters.gateway import Gateway, running
from tests.adapters.upstream.budgets import ScriptedBudget

pytestmark = pytest.mark.anyio

KEY = "0123456789abcdef-refund"
ORDER: dict[str, Any] = {"payment_reference": "ch_1", "currency": "EUR", "amount_minor": 500}
TERMS = UpstreamTerms(name="gateway", request_s=2.0)
IMPATIENT = UpstreamTerms(name="gateway", request_s=0.1)
"""For a gateway that will not answer; the time is that of a connection on one machine."""


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Generator[Gateway]:
    """One gateway for all tests of this module."""
    with running(tmp_path_factory.mktemp("gateway") / "ledger.db") as gateway:
        yield gateway


@pytest.fixture
def gateway(process: Gateway) -> Gateway:
    """It, as if it had just started."""
    process.forget()
    return process


@dataclass(slots=True)
class Asked:
    """An upstream, and what it spent and waited for."""

    upstream: HttpUpstream
    budget: ScriptedBudget
    pauses: list[float] = field(default_factory=list[float])

    async def pay_back(self, *, key: str | None = KEY) -> httpx2.Response:
        """Ask for one refund."""
        return await self.upstream.send("POST", "/v1/refunds", body=ORDER, key=key)


@asynccontextmanager
async def asking(
    gateway: Gateway, *, terms: UpstreamTerms = TERMS, budget: ScriptedBudget | None = None
) -> AsyncGenerator[Asked]:
    """An upstream at `gateway` whose pauses are noted instead of waited for."""
    pauses: list[float] = []
    budget = budget or ScriptedBudget()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async with gateway.client() as http:
        upstream = HttpUpstream(http, terms, requests=budget, clock=FixedClock(), pause=pause)
        yield Asked(upstream, budget, pauses)


async def test_an_answer_costs_one_request_and_no_pause(gateway: Gateway) -> None:
    """C4: the budget is named with what it holds."""
    async with asking(gateway) as asked:
        answer = await asked.pay_back()

    assert (answer.status_code, answer.json()["refund_id"]) == (201, "re_000001")
    assert (asked.budget.taken, asked.pauses) == ([("gateway", 100, 60)], [])


@pytest.mark.parametrize("trouble", ["lose_answer", "hang_up"])
async def test_a_lost_answer_is_asked_for_again_with_the_same_key(gateway: Gateway, trouble: Trouble) -> None:
    """C4: it was paid back before the answer was lost, and is not paid back again."""
    gateway.trouble(trouble)
    async with asking(gateway, terms=IMPATIENT if trouble == "lose_answer" else TERMS) as asked:
        answer = await asked.pay_back()

    assert (answer.status_code, gateway.counts) == (200, (2, 1, 1))


@pytest.mark.parametrize("trouble", ["break", "busy", "too_many"])
async def test_what_may_be_otherwise_next_time_is_sent_again(gateway: Gateway, trouble: Trouble) -> None:
    """C4: three times here, each after a pause of its own and each at the budget's expense."""
    gateway.trouble(trouble, times=3)
    async with asking(gateway) as asked:
        answer = await asked.pay_back()

    assert (answer.status_code, gateway.counts) == (201, (4, 1, 1))
    assert len(asked.budget.taken) == 4
    assert len(asked.pauses) == 3


@pytest.mark.parametrize(("trouble", "status"), [("refuse", 402), ("invalid", 422)])
async def test_a_refusal_is_never_sent_again(gateway: Gateway, trouble: Trouble, status: int) -> None:
    """C4: a validation failure is returned at once, whatever it says."""
    gateway.trouble(trouble)
    async with asking(gateway) as asked:
        answer = await asked.pay_back()

    assert (answer.status_code, gateway.counts, asked.pauses) == (status, (1, 1, 0), [])


async def test_a_retry_after_in_seconds_is_kept(gateway: Gateway) -> None:
    """C4: not before it, and a little after it, so that not all come at once."""
    gateway.trouble("too_many", retry_after="7")
    async with asking(gateway) as asked:
        await asked.pay_back()

    assert len(asked.pauses) == 1
    assert 7.0 <= asked.pauses[0] <= 7.2


async def test_a_retry_after_as_a_date_is_one_by_the_clock_that_sent_it(gateway: Gateway) -> None:
    """C4: the date is that of the gateway; ours stands still in 2026, and does not matter."""
    gateway.trouble("too_many", retry_after="Fri, 31 Dec 9999 23:59:59 GMT")
    async with asking(gateway) as asked:
        with pytest.raises(UpstreamUnavailable) as given_up:
            await asked.pay_back()

    assert given_up.value.retry_after_ms is not None
    assert given_up.value.retry_after_ms > 1_000_000_000_000
    assert (asked.pauses, gateway.counts) == ([], (1, 1, 0))


async def test_the_bound_of_the_pauses_doubles_up_to_the_longest(gateway: Gateway) -> None:
    """C4: full jitter: anything from 0 to the bound."""
    terms = UpstreamTerms(name="gateway", attempts=6, first_pause_s=0.5, longest_pause_s=3.0)
    gateway.trouble("break", times=6)
    async with asking(gateway, terms=terms) as asked:
        with pytest.raises(UpstreamUnavailable):
            await asked.pay_back()

    bounds = [0.5, 1.0, 2.0, 3.0, 3.0]
    assert len(asked.pauses) == 5
    assert all(0.0 <= pause <= bound for pause, bound in zip(asked.pauses, bounds, strict=True))
    assert len(set(asked.pauses)) == 5


async def test_it_gives_up_after_its_attempts_and_says_when_to_come_back(gateway: Gateway) -> None:
    """C4, B7: the caller is told a time and the code of the framework."""
    gateway.trouble("break", times=9)
    async with asking(gateway) as asked:
        with pytest.raises(UpstreamUnavailable) as given_up:
            await asked.pay_back()

    assert (given_up.value.code, given_up.value.retry_after_ms) == ("upstream_unavailable", 5_000)
    assert gateway.counts == (5, 1, 0)


async def test_it_does_not_wait_longer_than_the_call_may_take(gateway: Gateway) -> None:
    """C4: with 6 seconds left, a pause of 7 leads nowhere."""
    gateway.trouble("too_many", retry_after="7")
    async with asking(gateway, budget=ScriptedBudget(left_s=6.0)) as asked:
        with pytest.raises(UpstreamUnavailable) as given_up:
            await asked.pay_back()

    assert (given_up.value.retry_after_ms, asked.pauses, gateway.counts) == (7_000, [], (1, 1, 0))


async def test_a_call_without_time_left_makes_no_second_attempt(gateway: Gateway) -> None:
    """C4: what is left is the limit of the first."""
    async with asking(gateway, budget=ScriptedBudget(left_s=0.0)) as asked:
        with pytest.raises(UpstreamUnavailable):
            await asked.pay_back()

    assert gateway.seen["refunds"] <= 1
    assert len(asked.budget.taken) == 1


async def test_a_used_up_budget_is_waited_for_and_no_request_is_made(gateway: Gateway) -> None:
    """C4: 12.5 seconds until the next window; the second take is granted."""
    async with asking(gateway, budget=ScriptedBudget(waits=[12.5])) as asked:
        answer = await asked.pay_back()

    assert (answer.status_code, gateway.counts) == (201, (1, 1, 1))
    assert 12.5 <= asked.pauses[0] <= 12.7


async def test_a_budget_that_opens_too_late_is_the_answer(gateway: Gateway) -> None:
    """C4: the call ends before, and says when there are requests again."""
    async with asking(gateway, budget=ScriptedBudget(waits=[40.0])) as asked:
        with pytest.raises(UpstreamUnavailable) as given_up:
            await asked.pay_back()

    assert (given_up.value.retry_after_ms, gateway.counts) == (40_000, (0, 0, 0))


@pytest.mark.parametrize("trouble", ["break", "hang_up"])
async def test_a_write_without_a_key_is_not_sent_again(gateway: Gateway, trouble: Trouble) -> None:
    """C4: nobody could tell one refund from two. The gateway itself refuses requests without a key."""
    gateway.trouble(trouble)
    async with asking(gateway) as asked:
        answer = await asked.pay_back(key=None)

    assert (answer.status_code, gateway.counts) == (400, (1, 1, 0))


async def test_a_read_is_sent_again_without_a_key(gateway: Gateway) -> None:
    """C4: what was paid back is found under the key that it was paid back with."""
    async with asking(gateway) as asked:
        await asked.pay_back()
        found = await asked.upstream.send("GET", f"/v1/refunds/{KEY}")

    assert found.json() == {"refund_id": "re_000001", **ORDER, "fee_minor": 25}


async def test_a_gateway_that_is_not_there_is_tried_again_even_without_a_key() -> None:
    """C4: what was not reached did nothing."""
    async with asking(Gateway("http://127.0.0.1:9")) as asked:
        with pytest.raises(UpstreamUnavailable):
            await asked.pay_back(key=None)

    assert len(asked.budget.taken) == 5


async def test_a_gateway_that_restarts_remembers_what_it_paid(tmp_path: Path) -> None:
    """C4: the key is in its SQLite file."""
    with running(tmp_path / "ledger.db") as first:
        async with asking(first) as asked:
            before = (await asked.pay_back()).json()
    with running(tmp_path / "ledger.db") as second:
        async with asking(second) as asked:
            after = (await asked.pay_back()).json()

        assert (after, second.counts) == (before, (1, 1, 1))


async def test_another_order_under_the_same_key_is_refused(gateway: Gateway) -> None:
    """C4: the key stands for what it was first used for."""
    async with asking(gateway) as asked:
        await asked.pay_back()
        other = await asked.upstream.send("POST", "/v1/refunds", body={**ORDER, "amount_minor": 501}, key=KEY)

    assert (other.status_code, gateway.counts) == (422, (2, 1, 1))


async def test_a_wrong_token_is_told_at_once(gateway: Gateway) -> None:
    """C4, B18: before the gateway reads anything else."""
    async with gateway.client(token="wrong") as http:
        upstream = HttpUpstream(http, TERMS, requests=ScriptedBudget(), clock=FixedClock())
        answer = await upstream.send("POST", "/v1/refunds", body=ORDER, key=KEY)

    assert (answer.status_code, gateway.counts) == (401, (0, 0, 0))


def test_the_package_loads_without_its_retries() -> None:
    """C4: who does not reach outside does not pay for it."""
    script = (
        "import sys, fourfold, fourfold.effects; fourfold.Catalog; print({'httpx2', 'tenacity'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "set()\n"
