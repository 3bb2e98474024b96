"""The run stage: one record a call, whatever became of it."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from fourfold import Caller, Create, Decision, Fault, PolicyQuestion, Read, Retry
from fourfold.model.call import Call, Trace
from fourfold.testing import FixedClock, Kit, caller, open_kit
from tests.stages.desk import ACCOUNT, FOREIGN, Note, NoteAdd, Said, SaidOnce, desk, one_tool
from tests.stages.serving import serving

KEY = "a-key-of-16-signs"


class NoGuests:
    """Denies whoever is called guest, once the arguments are known."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """Depends on the caller alone."""
        guest = question.caller.principal == "guest" and question.arguments is not None
        return Decision(verdict="deny" if guest else "allow", reason="no guests" if guest else "")


def note(text: str = "hi", account: str = ACCOUNT, **more: Any) -> dict[str, Any]:
    """Arguments of a note."""
    return {"account_id": account, "text": text, **more}


@pytest.mark.parametrize(
    ("tool", "arguments", "by", "ending"),
    [
        ("note_add", note(), caller(), ("done", "")),
        ("note_count", {}, caller(), ("done", "")),
        ("note_add", {"account_id": ACCOUNT}, caller(), ("invalid", "invalid_arguments")),
        ("note_add", note("closed"), caller(), ("rejected", "file_closed")),
        ("note_add", note(account=FOREIGN), caller(), ("rejected", "unknown_account")),
        ("note_add", note(), caller("guest"), ("denied", "unknown_account")),
        ("note_count", {}, caller("guest"), ("denied", "not_permitted")),
        ("note_burn", {}, caller(), ("refused", "unknown_tool")),
        ("note_add", note("broken"), caller(), ("failed", "internal")),
    ],
)
def test_every_way_a_call_ends_leaves_one_run(
    tool: str, arguments: dict[str, Any], by: Caller, ending: tuple[str, str]
) -> None:
    """A9: successes, invalid and denied calls, refusals and crashes."""
    with open_kit(desk(NoGuests())) as kit:
        answer = kit.call(tool, arguments, by=by)

        assert (answer.kind, answer.code) == ending
        assert [(run.tool, run.outcome, run.code) for run in kit.runs()] == [(tool, *ending)]
        assert kit.runs()[0].run_id == answer.outcome.run_id


def test_a_run_says_who_called_what(kit: Kit) -> None:
    """A9: caller, tool, contract version and both digests."""
    kit.call("note_add", note(), by=Caller(principal="ann", tenant="acme", name="clerk"))

    (run,) = kit.runs()
    contract = kit.service.ports.catalog.tools["note_add"].contract
    assert (run.tenant, run.principal, run.caller) == ("acme", "ann", "clerk")
    assert (run.contract_version, run.wire_digest, run.lock_digest) == (
        "1.0",
        contract.wire_digest,
        contract.lock_digest,
    )
    assert run.at_ms == kit.clock.ms
    assert run.operation_id.startswith("op_")


def test_a_run_counts_bytes_and_estimates_tokens(kit: Kit) -> None:
    """A9, A10: four bytes a token, rounded up, on both sides."""
    kit.call("note_add", note("hi"))

    (run,) = kit.runs()
    assert run.bytes_in == len('{"account_id":"acct-1","text":"hi"}') == 35
    assert run.bytes_out == len('{"note_id":1,"flags":[]}') == 24
    assert (run.tokens_in, run.tokens_out) == (9, 6)


def test_a_failure_counts_the_bytes_of_its_text(kit: Kit) -> None:
    """A9: what the model reads costs, also when it is an error."""
    answer = kit.call("note_add", note("closed"))

    assert answer.fault is not None
    assert kit.runs()[0].bytes_out == len(answer.fault.text)


def test_declared_output_words_are_counted(kit: Kit) -> None:
    """A17: each value of a declared vocabulary once a run, and none where the call failed."""
    kit.call("note_add", note("x" * 101, copies=2))
    kit.call("note_add", note("closed", copies=2))

    assert [run.counted for run in kit.runs()] == [(), (("flags", "long"), ("flags", "copied"))]


def test_a_failing_handler_gives_the_caller_a_reference(kit: Kit) -> None:
    """A5, B7; MP-058: the text of an exception stays in the run; the answer has an id that finds it."""
    answer = kit.call("note_add", note("broken"))

    assert answer.fault is not None
    assert answer.fault.reference is not None
    assert answer.fault.text == (
        "internal: Something went wrong on the server. "
        f"Report reference {answer.fault.reference}; repeating it will not help."
    )
    (run,) = kit.runs()
    assert run.reference == answer.fault.reference
    assert "RuntimeError: cannot reach postgresql://[redacted]@" in run.note


def test_what_an_exception_gives_away_is_redacted_in_the_run(kit: Kit) -> None:
    """A5, B16: credentials are masked before the text is stored."""
    kit.call("note_add", note("broken"))

    assert "hunter2" not in kit.runs()[0].note


@pytest.mark.anyio
async def test_a_reference_finds_its_run() -> None:
    """B7: what the user reports is what the operator looks up."""
    async with serving(desk()) as served:
        answer = await served.call("note_add", note("broken"))
        await served.service.ports.runs.flush()

        assert answer.fault is not None
        found = await served.service.ports.runs.show(answer.fault.reference or "")
        assert found is not None
        assert found.run.run_id == answer.outcome.run_id


def test_no_log_repeats_arguments_or_exceptions(kit: Kit, caplog: pytest.LogCaptureFixture) -> None:
    """B16: nobody has to clean logs of what callers sent."""
    with caplog.at_level(logging.DEBUG):
        kit.call("note_add", note("broken", account="acct-77"))
        kit.call("note_add", note("broken"))
        kit.call("note_add", {"account_id": "acct-78"})

    assert not [word for word in ("hunter2", "db.internal", "broken", "acct-7") if word in caplog.text]


@pytest.mark.anyio
async def test_a_run_keeps_the_trace_of_its_call() -> None:
    """A9: trace and span ids, revision, transport and the client's name."""
    call = Call(
        tool="note_count",
        arguments={},
        caller=caller(),
        transport="http",
        revision="2026-07-28",
        client="inspector 1.2",
        trace=Trace(trace_id="0af7651916cd43dd8448eb211c80319c", span_id="b7ad6b7169203331"),
    )
    async with serving(desk()) as served:
        await served.service.call(call)

        run = (await served.records())[0].run
        assert (run.trace_id, run.span_id) == ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
        assert (run.transport, run.revision, run.client) == ("http", "2026-07-28", "inspector 1.2")


def test_stage_times_do_not_overlap() -> None:
    """A9: the time of a stage is without that of the stages inside it."""
    clock = FixedClock()

    class SlowPolicy:
        def decide(self, question: PolicyQuestion) -> Decision:
            clock.advance(1)
            return Decision(verdict="allow")

    def slow(request: SaidOnce) -> Said:
        clock.advance(5)
        return Said(text="")

    with open_kit(one_tool(slow, policy=SlowPolicy()), clock=clock) as kit:
        kit.call("note_add", {})

        assert {stage: spent for stage, spent in kit.runs()[0].stage_us.items() if spent} == {
            "admit": 1_000_000,
            "authorize": 1_000_000,
            "invoke": 5_000_000,
        }


def test_every_stage_of_a_write_has_its_time(kit: Kit) -> None:
    """A9: the table of contents, as a run shows it."""
    kit.call("note_add", note())

    assert list(kit.runs()[0].stage_us) == [
        "run",
        "admit",
        "validate_input",
        "recall",
        "authorize",
        "plan",
        "replay",
        "consent",
        "approve",
        "claim",
        "preconditions",
        "invoke",
        "validate_output",
    ]


def test_only_failures_keep_a_digest_of_their_arguments(kit: Kit) -> None:
    """A9, A14: equal failures are told from different ones without storing what was sent."""
    kit.call("note_add", note("closed"))
    kit.call("note_add", {"text": "closed", "account_id": ACCOUNT})
    kit.call("note_add", note("locked"))
    kit.call("note_add", note("fine"))

    fine, locked, again, first = (run.arguments_digest for run in kit.runs())
    assert fine == ""
    assert first == again != locked
    assert len(first) == len(locked) == 64


def test_a_kept_failure_has_a_digest_too(kit: Kit) -> None:
    """A9: also where the run is stored with the claim, and in its replay."""
    kit.call("note_add", note("closed"), key=KEY)
    kit.call("note_add", note("closed"), key=KEY)

    digests = {run.arguments_digest for run in kit.runs()}
    assert len(digests) == 1
    assert digests != {""}


def test_another_callers_equal_failure_has_another_digest(kit: Kit) -> None:
    """A9: a digest tells nobody that two tenants sent the same."""
    kit.call("note_add", note("closed"))
    kit.call("note_add", note("closed"), by=caller("other"))
    kit.call("note_add", note("closed"), by=caller(tenant="globex"))

    assert len({run.arguments_digest for run in kit.runs()}) == 3


class Odd(Fault):
    """Half a character."""

    code, retry, next_step = "odd_text", Retry.NEVER, "Look at it"


@pytest.mark.parametrize("key", [None, KEY])
def test_a_fault_that_cannot_be_encoded_has_its_run(key: str | None) -> None:
    """A9: an upstream may cut a character in two, and a handler may repeat it."""

    def handler(request: NoteAdd) -> Note:
        raise Odd("\ud83d is half")

    with open_kit(one_tool(handler, Create(), faults=[Odd])) as kit:
        assert [kit.call("note_add", note(), key=key).code for _ in range(2)] == ["odd_text", "odd_text"]
        assert [run.code for run in kit.runs()] == ["odd_text", "odd_text"]


class Unprintable(Exception):
    """Cannot even be shown."""

    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize("effect", [Read(), Create()])
@pytest.mark.parametrize(
    "error", [Unprintable(), SystemExit(3), StopIteration(), ValueError("\ud83d"), RecursionError()]
)
def test_no_exception_gets_past_the_run(error: BaseException, effect: Read | Create) -> None:
    """A9: one that ends processes, and ones that cannot be written down."""

    def handler(request: NoteAdd) -> Note:
        raise error

    with open_kit(one_tool(handler, effect)) as kit:
        assert kit.call("note_add", note()).code == "internal"
        assert [run.outcome for run in kit.runs()] == ["failed"]
