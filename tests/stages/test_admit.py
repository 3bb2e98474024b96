"""The admit stage: known tools, size, rate and concurrency."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import anyio
import pytest

from fourfold import Caller, Create, Decision, Limits, PolicyQuestion
from fourfold.errors import StoreError
from fourfold.model.outcome import Outcome, Refused
from fourfold.testing import caller, open_kit
from tests.stages.desk import FileLocked, Nothing, Said, SaidOnce, desk, one_tool
from tests.stages.serving import eventually, serving

HI = {"account_id": "acct-1", "text": "hi"}


class Rules:
    """Hides `note_add` from guests, and breaks when the cook asks."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """By the caller's name."""
        if question.caller.principal == "cook":
            raise StoreError("the rules are at postgresql://svc:hunter2@db/rules")
        hidden = question.caller.principal == "guest" and question.contract.name == "note_add"
        return Decision(verdict="deny" if hidden else "allow", reason="guests add nothing" if hidden else "")


def unnumbered(outcome: Outcome) -> Outcome:
    """The outcome without what tells one call from another."""
    return replace(outcome, run_id="")


@pytest.mark.anyio
async def test_a_hidden_tool_looks_like_one_that_is_not_there() -> None:
    """B11, B18: made up, without its scope, in another toolset, denied by the policy: the same refusal."""
    catalog = desk(Rules(), needs={"notes:write"}, toolsets={"notes"})
    async with serving(catalog, toolsets=["notes"]) as served:
        answers = [
            await served.call("note_burn"),
            await served.call("note_add", HI, by=caller(scopes=[])),
            await served.call("word_say"),
            await served.call("note_add", HI, by=caller("guest", scopes=["notes:write"])),
        ]

        assert {unnumbered(answer.outcome) for answer in answers} == {Refused(reason="unknown_tool", run_id="")}
        assert [record.run.note for record in await served.records()] == [
            "policy: guests add nothing",
            "the tool is in none of the served toolsets",
            "the caller lacks scopes that the tool needs",
            "no tool has this name",
        ]


def test_a_hidden_tool_is_not_run() -> None:
    """B11: being refused costs nobody an effect."""
    with open_kit(desk(needs={"notes:write"})) as kit:
        kit.call("note_add", HI, by=caller(scopes=["notes:read"]))

        assert kit.writes == 0


def test_a_policy_that_breaks_hides_the_tool() -> None:
    """B18: a broken rule denies; what broke is in the run, redacted."""
    with open_kit(desk(Rules())) as kit:
        assert kit.call("note_add", HI, by=caller("cook")).code == "unknown_tool"
        assert kit.runs()[0].note == (
            "policy: the policy raised StoreError: the rules are at postgresql://[redacted]@db/rules"
        )


def test_a_step_up_tool_asks_for_its_scopes() -> None:
    """B18: it is listed without them, so the refusal may name them; nothing runs."""
    with open_kit(desk(needs={"notes:write"}, step_up=True)) as kit:
        answer = kit.call("note_add", HI, by=caller(scopes=[]))

        assert unnumbered(answer.outcome) == Refused(
            reason="missing_scope", run_id="", needs=frozenset({"notes:write"})
        )
        assert kit.writes == 0
        assert [(run.outcome, run.code) for run in kit.runs()] == [("refused", "missing_scope")]


@pytest.mark.parametrize(("limit", "code"), [(35, ""), (34, "argument_too_large")])
def test_arguments_are_bounded_in_bytes(limit: int, code: str) -> None:
    """B19: counted as UTF-8 JSON, and answered with the bound."""
    with open_kit(desk(limits=Limits(arguments_bytes=limit))) as kit:
        answer = kit.call("note_add", HI)

        assert answer.code == code
        assert kit.writes == (1 if code == "" else 0)
        if code:
            assert answer.kind == "invalid"
            assert answer.fault is not None
            assert answer.fault.message == "The arguments are over 34 bytes"


def test_calls_over_the_rate_are_told_how_long_to_wait() -> None:
    """B19: two a minute leak away one in thirty seconds, to the millisecond."""
    with open_kit(desk(limits=Limits(calls_per_minute=2))) as kit:
        codes: list[tuple[str, int | None]] = []
        for seconds in (0, 0, 0, 29.999, 0.001, 0):
            kit.clock.advance(seconds)
            answer = kit.call("note_add", {})
            codes.append((answer.code, answer.fault.retry_after_ms if answer.fault else None))

        invalid = ("invalid_arguments", None)
        assert codes == [
            invalid,
            invalid,
            ("rate_limited", 30_000),
            ("rate_limited", 1),
            invalid,
            ("rate_limited", 30_000),
        ]


@pytest.mark.parametrize("by", [caller("other"), caller(tenant="globex")])
def test_a_rate_is_of_one_caller(by: Caller) -> None:
    """B19: nobody's calls count against somebody else, nor against another tool."""
    with open_kit(desk(limits=Limits(calls_per_minute=1))) as kit:
        assert kit.call("note_add", HI).ok
        assert kit.call("note_add", HI).code == "rate_limited"
        assert kit.call("word_say").ok
        assert kit.call("note_add", HI, by=by).code in {"", "unknown_account"}


@pytest.mark.anyio
async def test_a_caller_with_all_places_taken_is_too_busy() -> None:
    """B19: concurrency is per caller and tool, and a place comes back with the answer."""
    started, release = threading.Event(), threading.Event()

    def handler(request: Nothing) -> Said:
        started.set()
        release.wait(30)
        return Said(text="done")

    async with serving(one_tool(handler, limits=Limits(concurrency=1))) as served, anyio.create_task_group() as tasks:
        tasks.start_soon(served.call, "note_add")
        await eventually(started.is_set)
        answer = await served.call("note_add")

        assert answer.code == "too_busy"
        assert answer.fault is not None
        assert answer.fault.retry_after_ms == 1_000
        release.set()
    # The store is closed by now, so only admission is asked.
    assert served.service.ports.guard.running == {}


@pytest.mark.parametrize(
    ("word", "code"), [("fine", ""), ("locked", "file_locked"), ("broken", "internal"), ("wrong", "internal")]
)
def test_every_end_gives_the_place_back(word: str, code: str) -> None:
    """B19: a place that leaks locks the caller out for good."""

    def handler(request: SaidOnce) -> Said:
        if request.word == "locked":
            raise FileLocked
        if request.word == "broken":
            raise RuntimeError
        result: Any = "no model" if request.word == "wrong" else Said(text="ok")
        return result

    with open_kit(one_tool(handler, limits=Limits(concurrency=1), faults=[FileLocked])) as kit:
        assert [kit.call("note_add", {"word": word}).code for _ in range(2)] == [code, code]


@pytest.mark.anyio
async def test_a_cancelled_call_gives_the_place_back() -> None:
    """B19, MP-092: the next call is served."""
    started = anyio.Event()

    async def handler(request: SaidOnce) -> Said:
        if request.word:
            return Said(text="served")
        started.set()
        await anyio.sleep_forever()
        raise AssertionError

    async with serving(one_tool(handler, limits=Limits(concurrency=1))) as served:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(served.call, "note_add")
            await started.wait()
            tasks.cancel_scope.cancel()

        assert (await served.call("note_add", {"word": "again"})).structured == {"text": "served"}
        assert [record.run.outcome for record in await served.records()] == ["done", "cancelled"]


def test_a_write_counts_as_running_too() -> None:
    """B19: the limit is the tool's, whatever its effect."""
    with open_kit(desk(effect=Create(), limits=Limits(concurrency=1))) as kit:
        assert [kit.call("note_add", {**HI, "text": text}).code for text in ("a", "locked", "b")] == [
            "",
            "file_locked",
            "",
        ]
