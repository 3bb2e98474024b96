"""Repeats, waits and rounds against a server that keeps silent, is busy, and asks without an end."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.agent import Done, Patience, Refused, Rejected, Stopped, Unknown
from fourfold.model.fault import Retry
from tests.agent.odd import Pauses, Person, caller_of, done_by, odd

pytestmark = pytest.mark.anyio

SILENCE_S = 2.0
"""How long an answer is waited for that never comes; one that does come is there long before."""


def writing(person: Person, **given: Any) -> dict[str, Any]:
    """Everything is a write, and a person consents to it."""
    return {"effects": {"*": "create"}, "consent": {"create": person.consent}, **given}


async def test_a_write_without_an_answer_is_repeated_with_the_same_key() -> None:
    """It was done at the first request, and once; consent is asked for once as well."""
    person, pauses = Person(), Pauses()
    async with odd(timeout_s=SILENCE_S) as session:
        outcome = await caller_of(session, "note_*", pause=pauses, **writing(person)).call("note_create", {"text": "a"})
        written, heard = await done_by(session)

    assert isinstance(outcome, Done)
    assert (outcome.text, written, heard) == ("created", {"note_create": 1}, {outcome.key: 2})
    assert pauses.seconds == [1.0]
    assert [each.arguments for each in person.intents] == [{"text": "a"}]


async def test_a_write_without_a_key_is_not_repeated_when_no_answer_came() -> None:
    """Nobody knows, so somebody has to look."""
    async with odd(timeout_s=SILENCE_S) as session:
        outcome = await caller_of(session, "note_*", **writing(Person())).call("note_append", {})
        written, _ = await done_by(session)

    assert isinstance(outcome, Unknown)
    assert (outcome.key, written) == (None, {"note_append": 1})
    assert outcome.text == (
        "outcome_unknown: There was no answer that tells. It may have happened or not. "
        "Do not make it anew; read the resource, or ask the user to check."
    )
    assert "odd_server.py" not in outcome.text
    assert outcome.detail.endswith(
        "did not answer in time; check that it is an MCP server and not busy, or allow more time"
    )


async def test_a_write_stays_unknown_if_the_repeat_says_nothing_about_it() -> None:
    """Too many calls: that tells about the second request, not about the first."""
    async with odd(timeout_s=SILENCE_S) as session:
        caller = caller_of(session, "note_*", patience=Patience(repeats=3), **writing(Person()))
        outcome = await caller.call("note_import", {}, key="imported-2026-11-30")
        written, heard = await done_by(session)

    assert isinstance(outcome, Unknown)
    assert (outcome.key, written) == ("imported-2026-11-30", {"note_import": 1})
    assert heard == {"imported-2026-11-30": 4}


async def test_a_write_that_breaks_down_in_the_middle_is_unknown() -> None:
    """An internal error says nothing about what was done before it."""
    async with odd() as session:
        outcome = await caller_of(session, "note_*", **writing(Person())).call("note_rename", {})
        written, _ = await done_by(session)

    assert isinstance(outcome, Unknown)
    assert written == {"note_rename": 1}


async def test_a_read_without_an_answer_is_repeated() -> None:
    """It does nothing, as the rules say, so it needs no key."""
    async with odd(timeout_s=SILENCE_S) as session:
        outcome = await caller_of(session, "notes_*", effects={"*": "read"}).call("notes_read", {})

    assert isinstance(outcome, Done)
    assert outcome.text == "three notes"


async def test_a_call_waits_as_long_as_it_is_told_to() -> None:
    """By the clock that the loop gives."""
    pauses = Pauses()
    async with odd() as session:
        outcome = await caller_of(session, "*", effects={"*": "read"}, pause=pauses).call("notes_count", {})

    assert isinstance(outcome, Done)
    assert pauses.seconds == [1.5, 1.5]


@pytest.mark.parametrize(
    ("tool", "patience"), [("notes_export", Patience()), ("notes_count", Patience(repeats=0))], ids=["ages", "none"]
)
async def test_patience_ends_whatever_the_server_says(tool: str, patience: Patience) -> None:
    """A wait that is too long is not begun, and the fault says what would have been waited for."""
    pauses = Pauses()
    async with odd() as session:
        caller = caller_of(session, "*", effects={"*": "read"}, pause=pauses, patience=patience)
        outcome = await caller.call(tool, {})
        _, heard = await done_by(session)

    assert isinstance(outcome, Rejected)
    assert (outcome.fault.code, outcome.fault.retry) == ("too_busy", Retry.AFTER)
    assert (pauses.seconds, heard) == ([], {tool: 1})


async def test_an_error_that_declares_nothing_is_final() -> None:
    """A4, A18: no verb, no repeat, though the text asks for one."""
    async with odd() as session:
        outcome = await caller_of(session, "*", effects={"*": "read"}).call("notes_find", {})
        _, heard = await done_by(session)

    assert isinstance(outcome, Rejected)
    assert (outcome.fault.code, outcome.fault.retry, heard) == ("not_found", Retry.NEVER, {"notes_find": 1})


async def test_a_question_that_is_no_form_is_not_answered() -> None:
    """The server asks the model for a token, which no client of ours offered."""
    person = Person()
    async with odd() as session:
        caller = caller_of(session, "*", effects={"*": "read"}, answer=person.answer)
        outcome = await caller.call("notes_sample", {})

    assert isinstance(outcome, Stopped)
    assert (outcome.reason, person.questions) == ("nobody_to_ask", [])


async def test_rounds_without_an_end_are_ended() -> None:
    """A person is not asked for ever."""
    person = Person()
    async with odd() as session:
        given: dict[str, Any] = {"answer": person.answer, "patience": Patience(rounds=3)}
        outcome = await caller_of(session, "*", effects={"*": "read"}, **given).call("notes_quiz", {})
        _, heard = await done_by(session)

    assert isinstance(outcome, Stopped)
    assert (outcome.reason, len(person.questions), heard) == ("too_many_rounds", 3, {"notes_quiz": 4})


async def test_a_protocol_error_is_an_outcome_of_its_own() -> None:
    """It is no answer of the tool."""
    async with odd() as session:
        outcome = await caller_of(session, "*", effects={"*": "read"}).call("notes_refuse", {})

    assert isinstance(outcome, Refused)
    assert (outcome.text, outcome.code) == ("Unknown tool", -32602)


async def test_a_server_that_dies_leaves_its_write_unknown() -> None:
    """The repeats find nobody, and that says nothing about the first request."""
    pauses = Pauses()
    async with odd() as session:
        caller = caller_of(session, "note_*", pause=pauses, patience=Patience(repeats=2), **writing(Person()))
        outcome = await caller.call("note_kill", {}, key="killed-on-2026-11-30")

    assert isinstance(outcome, Unknown)
    assert (outcome.key, pauses.seconds) == ("killed-on-2026-11-30", [1.0, 2.0])
