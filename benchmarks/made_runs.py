"""Runs as a busy server would leave them, made up: skewed, by day and night, with outages, retries and a new version.

Owns what they look like; `benchmarks.seeding` stores them. The same `Made` gives the same runs on every machine.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate, count, islice
from random import Random
from typing import Generic, NamedTuple, TypeVar

from fourfold.model.cost import Charge
from fourfold.model.run import Closing, Run

__all__ = ["END_MS", "Made", "MadeRun", "made_runs"]

T = TypeVar("T")

END_MS = 1_793_448_000_000
"""When the last run arrives, unless it is said: noon of 31 October 2026, UTC."""

_HOUR_MS, _DAY_MS = 3_600_000, 86_400_000

_BY_HOUR = (2, 1, 1, 1, 1, 2, 5, 9, 13, 15, 15, 13, 11, 13, 15, 15, 13, 9, 6, 5, 4, 3, 3, 2)
_WEEKEND = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What is made: how many runs, over how many days up to when, of how many tenants, accounts and callers."""

    runs: int
    seed: int = 1
    days: int = 90
    end_ms: int = END_MS
    tenants: int = 6
    accounts: int = 2_000
    principals: int = 120


class MadeRun(NamedTuple):
    """A run, and its closing row if it wrote something."""

    run: Run
    closing: Closing | None


class _Skewed(Generic[T]):
    """Picks by Zipf's law: the second is picked about half as often as the first, the third a third as often."""

    def __init__(self, values: Sequence[T], *, power: float = 1.0) -> None:
        self._values = values
        self._upto = list(accumulate(1 / rank**power for rank in range(1, len(values) + 1)))

    def pick(self, dice: Random) -> T:
        """One of them."""
        return self._values[bisect(self._upto, dice.random() * self._upto[-1])]


class _Tool(NamedTuple):
    name: str
    writes: bool
    typical_us: int
    tokens_definition: int
    fails: Mapping[str, float]
    """How often a call meets each code."""


_WAYS = {
    "invalid_arguments": ("invalid", "after_fix"),
    "credit_limit": ("rejected", "never"),
    "unknown_account": ("denied", "never"),
    "stale_version": ("rejected", "refresh"),
    "upstream_unavailable": ("rejected", "after"),
    "rate_limited": ("rejected", "after"),
    "internal": ("failed", "never"),
    "outcome_unknown": ("unknown", "ask_human"),
    "cancelled": ("cancelled", ""),
}
"""The outcome of each code, and what its fault says of a repeat."""

_NOUNS = ("invoice", "quote", "payment", "customer", "credit_note", "ledger", "price", "shipment")
_VERBS = (("get", False, 4_000), ("list", False, 12_000), ("create", True, 9_000))
_RARE = {"unknown_account": 0.004, "rate_limited": 0.002, "internal": 0.0006, "cancelled": 0.0015}
_TYPED = "quote_create"
"""The tool whose new version takes typed arguments, in the middle of the time, and is retried less."""


def _tools() -> list[_Tool]:
    """Three tools for each noun, the most frequent ones first."""
    made: list[_Tool] = []
    for rank, (verb, writes, typical_us) in enumerate(_VERBS):
        for place, noun in enumerate(_NOUNS):
            name = f"{noun}_{verb}"
            fails = {"invalid_arguments": 0.02 + 0.01 * rank, **_RARE}
            if writes:
                fails |= {"credit_limit": 0.015, "stale_version": 0.006, "outcome_unknown": 0.0003}
            made.append(_Tool(name, writes, typical_us * (1 + place), 180 + 35 * place, fails))
    return sorted(made, key=lambda tool: tool.typical_us)


class _Outage(NamedTuple):
    """A time in which a tool mostly fails for one account, or for everybody."""

    begins_ms: int
    ends_ms: int
    tool: str
    account: str | None


class _Call(NamedTuple):
    """A call that somebody makes; sorts by its time."""

    at_ms: int
    number: int
    tool: _Tool
    tenant: str
    principal: str
    account: str
    operation: str
    trace: str
    attempt: int
    replays: bool


class _World:
    """Who is there, and what befalls them."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.dice = Random(made.seed)  # noqa: S311  # choices that must repeat, no secret
        self.tools = _Skewed(_tools())
        names = ("acme", "globex", "initech", "umbrella", "hooli", "stark")
        tenants = [names[n] if n < len(names) else f"tenant-{n:03}" for n in range(made.tenants)]
        skewed = _Skewed(tenants)
        self._tenant_of = {f"ACC-{n:05}": skewed.pick(self.dice) for n in range(made.accounts)}
        self.accounts = _Skewed([*self._tenant_of], power=0.9)
        each = max(1, made.principals // made.tenants)
        self.principals = {
            tenant: _Skewed([f"clerk-{n:02}@{tenant}" for n in range(each)], power=0.7) for tenant in tenants
        }
        self.numbers = count()

    @cached_property
    def outages(self) -> Sequence[_Outage]:
        """About one in three days."""
        dice, made, found = self.dice, self.made, list[_Outage]()
        for _ in range(max(1, made.days // 3)):
            begins = made.end_ms - dice.randrange(max(1, made.days * _DAY_MS))
            lasts = dice.randrange(20 * 60_000, 4 * _HOUR_MS)
            account = self.accounts.pick(dice) if dice.random() < 0.6 else None
            found.append(_Outage(begins, begins + lasts, self.tools.pick(dice).name, account))
        return found

    def call(self, at_ms: int) -> _Call:
        """A new call at that time."""
        dice = self.dice
        tool, account = self.tools.pick(dice), self.accounts.pick(dice)
        tenant = self._tenant_of[account]
        number = next(self.numbers)
        operation = f"op_{at_ms:012x}{number & 0xFFFF:04x}{dice.getrandbits(64):016x}" if tool.writes else ""
        trace = f"{dice.getrandbits(128):032x}" if dice.random() < 0.6 else ""
        principal = self.principals[tenant].pick(dice)
        return _Call(at_ms, number, tool, tenant, principal, account, operation, trace, 1, replays=False)


def made_runs(made: Made) -> Iterator[MadeRun]:
    """The runs, oldest first; exactly as many as were asked for."""
    world = _World(made)
    repeats: list[_Call] = []
    last_ms = 0
    for at_ms in islice(_arrivals(made, world.dice), made.runs):
        # A repeat that is due takes the place of a new call, so that the last one arrives at the end.
        if repeats and repeats[0].at_ms <= at_ms:
            due = heappop(repeats)
            call = due._replace(at_ms=max(due.at_ms, last_ms))
        else:
            call = world.call(at_ms)
        last_ms = call.at_ms
        yield _run_of(world, call, repeats)


def _arrivals(made: Made, dice: Random) -> Iterator[int]:
    """Times in their order, more by day than by night and at weekends."""
    begins = made.end_ms - made.days * _DAY_MS
    hours = range(begins, made.end_ms, _HOUR_MS)
    weights = [_BY_HOUR[at // _HOUR_MS % 24] * (_WEEKEND if at // _DAY_MS % 7 in (2, 3) else 1) for at in hours]
    share = made.runs / sum(weights)
    owed = 0.0
    for at, weight in zip(hours, weights, strict=True):
        owed += weight * share
        now, owed = int(owed), owed % 1
        yield from sorted(at + dice.randrange(_HOUR_MS) for _ in range(now))
    # Rounding may owe one more.
    yield made.end_ms - 1


def _run_of(world: _World, call: _Call, repeats: list[_Call]) -> MadeRun:
    """What becomes of a call; what its caller does next goes into `repeats`."""
    made = world.made
    version = "2.0" if call.tool.name == _TYPED and call.at_ms > made.end_ms - made.days * _DAY_MS // 2 else "1.0"
    code = "" if call.replays else _code(world, call, version)
    outcome, retry = _WAYS[code] if code else ("done", "")
    _plan_next(world, call, code=code, retry=retry, repeats=repeats)
    dice = world.dice
    took = int(call.tool.typical_us * dice.lognormvariate(0.0, 0.55)) * (8 if dice.random() < 0.01 else 1)
    run = _plain(call, took, dice=dice)
    if not code:
        run = _successful(run, call, dice)
    reference = f"ref_{run.run_id[4:]}" if code == "internal" else ""
    run = replace(run, contract_version=version, outcome=outcome, code=code, retry=retry, reference=reference)
    wrote = call.tool.writes and not code and not call.replays
    return MadeRun(run, Closing(run_id=run.run_id, total_us=took + 400, delivered=True) if wrote else None)


def _code(world: _World, call: _Call, version: str) -> str:
    """The code that a call meets, or "" when it succeeds."""
    for outage in world.outages:
        if outage.begins_ms <= call.at_ms < outage.ends_ms and outage.tool == call.tool.name:
            hit = outage.account in (None, call.account) and world.dice.random() < 0.7
            return "upstream_unavailable" if hit else ""
    met = world.dice.random()
    for code, share in call.tool.fails.items():
        # A model that was told what is wrong is mostly right the second time.
        often = share * (0.3 if call.attempt > 1 else 6.0 if call.tool.name == _TYPED and version == "1.0" else 1.0)
        if met < often:
            return code
        met -= often
    return ""


def _plan_next(world: _World, call: _Call, *, code: str, retry: str, repeats: list[_Call]) -> None:
    """Put what the caller does next into `repeats`: most try again what can be helped, a few ask again."""
    dice = world.dice
    again = retry in ("after_fix", "after", "refresh") and call.attempt < 5 and dice.random() < 0.8
    replays = not code and call.tool.writes and not call.replays and dice.random() < 0.01
    if not again and not replays:
        return
    at_ms = call.at_ms + dice.randrange(1_500, 45_000)
    if at_ms < world.made.end_ms:
        number = next(world.numbers)
        heappush(repeats, call._replace(at_ms=at_ms, number=number, attempt=call.attempt + 1, replays=replays))


def _plain(call: _Call, took: int, *, dice: Random) -> Run:
    """The record but for what became of the call."""
    check = 60 + took // 20
    stages = {"run": 40, "admit": 30, "validate_input": check, "authorize": 25, "invoke": max(1, took - check - 95)}
    if call.tool.writes:
        stages |= {"claim": 220, "validate_output": 90}
    bytes_in, bytes_out = dice.randrange(60, 900), dice.randrange(150, 6_000)
    return Run(
        run_id=f"run_{call.at_ms:012x}{call.number & 0xFFFF:04x}{dice.getrandbits(64):016x}",
        at_ms=call.at_ms,
        tenant=call.tenant,
        principal=call.principal,
        caller=call.principal.partition("@")[0],
        tool=call.tool.name,
        contract_version="1.0",
        wire_digest=f"{_hash(call.tool.name):064x}",
        lock_digest=f"{_hash(call.tool.name) + 1:064x}",
        subject=call.account if call.number % 50 else "unknown",
        outcome="done",
        code="",
        operation_id=call.operation,
        replayed=call.replays,
        transport="http",
        revision="2026-07-28",
        client="made-up 1.0",
        trace_id=call.trace,
        span_id=call.trace[:16],
        stage_us=stages,
        bytes_in=bytes_in,
        bytes_out=bytes_out,
        tokens_in=bytes_in // 4,
        tokens_out=bytes_out // 4,
        tokens_definition=call.tool.tokens_definition,
    )


def _successful(run: Run, call: _Call, dice: Random) -> Run:
    """What only a success has."""
    counted: list[tuple[str, str]] = []
    charges: tuple[Charge, ...] = ()
    if call.tool.name in ("quote_create", "invoice_get"):
        counted = [("flags", flag) for flag in ("below_floor", "credit_hold", "rush") if dice.random() < 0.15]
    if call.tool.name == "payment_create":
        charges = (Charge(what="gateway fee", amount_minor=dice.randrange(5, 90), currency="EUR"),)
    filled = {"id": True, "note": dice.random() < 0.3, "due_on": dice.random() < 0.9, "discount": False}
    return replace(run, counted=tuple(counted), charges=charges, filled={} if run.replayed else filled)


def _hash(text: str) -> int:
    """A number for a text, the same on every machine."""
    return int.from_bytes(text.encode()) % (2**255)
