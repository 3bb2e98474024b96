"""What a loop may do by itself, against a server whose hints lie and whose definitions change."""

from __future__ import annotations

import pytest

from fourfold.agent import Done, Rules, Stopped, ToolCaller, read_lock
from fourfold.agent.hooks import EffectWord
from fourfold.contracts.lock import lock_text
from fourfold.errors import ConfigError, TargetError
from tests.agent.odd import Person, caller_of, done_by, locked, odd

pytestmark = pytest.mark.anyio


async def test_a_hint_that_lies_does_not_make_a_call() -> None:
    """The server says that its purge only reads; nobody whom the loop trusts says so, so it is not made."""
    async with odd() as session:
        lock = read_lock(lock_text(await locked(session)).encode(), name="fourfold.lock.json")
        hints = {tool["name"]: tool["annotations"] for tool in await session.tools()}
        outcome = await caller_of(session, "notes_*", lock=lock).call("notes_purge", {})
        written, _ = await done_by(session)

    assert hints["notes_purge"] == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    assert isinstance(outcome, Stopped)
    assert outcome.reason == "consent_missing"
    assert written == {}


@pytest.mark.parametrize(
    ("yes", "ending", "purged"), [(True, Done, {"notes_purge": 1}), (False, Stopped, {})], ids=["yes", "no"]
)
async def test_a_destructive_call_is_made_if_a_person_consents(yes: bool, ending: type, purged: dict[str, int]) -> None:
    """They see the tool, its arguments and the effect that the rules name."""
    person = Person(yes=yes)
    async with odd() as session:
        caller = caller_of(session, "notes_*", effects={"*_purge": "destroy"}, consent={"destroy": person.consent})
        outcome = await caller.call("notes_purge", {"text": "all"})
        written, _ = await done_by(session)

    assert isinstance(outcome, ending)
    assert written == purged
    assert [(each.tool, each.effect, each.arguments) for each in person.intents] == [
        ("notes_purge", "destroy", {"text": "all"})
    ]


async def test_a_tool_that_is_not_allowed_is_neither_shown_nor_called() -> None:
    """Names and patterns decide."""
    async with odd() as session:
        caller = caller_of(session, "written", "notes_c*", effects={"*": "read"})
        shown = [tool.name for tool in await caller.tools()]
        outcome = await caller.call("notes_purge", {})
        written, _ = await done_by(session)

    assert shown == ["notes_count", "written"]
    assert isinstance(outcome, Stopped)
    assert outcome.text == "not_allowed: This tool may not be used here. Do without it."
    assert written == {}


@pytest.mark.parametrize("with_lock", [True, False], ids=["lock", "first-list"])
async def test_a_tool_that_has_changed_is_refused(with_lock: bool) -> None:
    """It is neither shown nor called, though it was fine when it was looked at."""
    async with odd() as session:
        lock = {"lock": await locked(session)} if with_lock else {}
        person = Person()
        caller = caller_of(session, "*", effects={"*": "destroy"}, consent={"destroy": person.consent}, **lock)
        before = [tool.name for tool in await caller.tools()]
        await caller.call("reword", {})
        outcome = await caller.call("notes_purge", {})
        after = [tool.name for tool in await caller.tools()]
        written, _ = await done_by(session)

    assert isinstance(outcome, Stopped)
    assert outcome.reason == "changed"
    assert [*{*before} - {*after}] == ["notes_purge"]
    assert [each.tool for each in person.intents] == ["reword"]
    assert written == {}


async def test_a_tool_that_nobody_has_locked_is_refused() -> None:
    """A new tool of the server is no tool of the loop until somebody has reviewed it."""
    async with odd() as session:
        whole = await locked(session)
        lock = type(whole)(target=whole.target, digest=whole.digest, tools=whole.tools[1:])
        outcome = await caller_of(session, "*", effects={"*": "read"}, lock=lock).call("notes_purge", {})

    assert isinstance(outcome, Stopped)
    assert outcome.reason == "not_locked"


async def test_a_name_that_is_listed_twice_is_refused() -> None:
    """Nobody can say which of the two would be called."""
    async with odd() as session:
        person = Person()
        caller = caller_of(session, "*", effects={"*": "update"}, consent={"update": person.consent})
        await caller.call("double", {})
        outcome = await caller.call("notes_purge", {})

    assert isinstance(outcome, Stopped)
    assert outcome.reason == "listed_twice"


async def test_a_made_up_tool_is_not_sent() -> None:
    """A model that invents a name is told so."""
    async with odd() as session:
        outcome = await caller_of(session, "*", effects={"*": "read"}).call("notes_invent", {})

    assert isinstance(outcome, Stopped)
    assert outcome.reason == "not_listed"


async def test_a_read_with_a_hook_asks_as_well() -> None:
    """A hook for an effect is asked, whatever the effect."""
    person = Person(yes=False)
    async with odd() as session:
        caller = caller_of(session, "*", effects={"*": "read"}, consent={"read": person.consent})
        outcome = await caller.call("notes_find", {})
        _, heard = await done_by(session)

    assert isinstance(outcome, Stopped)
    assert (outcome.reason, heard) == ("consent_denied", {})


@pytest.mark.parametrize(
    ("effects", "effect"),
    [
        ({}, "unknown"),
        ({"a_*": "read"}, "read"),
        ({"*": "read", "a_b": "destroy"}, "destroy"),
        ({"b_*": "read"}, "unknown"),
    ],
)
def test_the_most_careful_word_about_a_tool_counts(effects: dict[str, EffectWord], effect: str) -> None:
    """And what nobody has said anything about is unknown."""
    assert Rules(allow=["*"], effects=effects).effect_of("a_b") == effect


def test_rules_that_mean_nothing_are_refused() -> None:
    """A misspelt effect would never be asked about, and one text as a list of patterns would allow too much."""
    with pytest.raises(ConfigError, match="'destory' is no effect; there are read, preview, "):
        Rules(allow=["*"], effects={"*": "destory"})  # pyright: ignore[reportArgumentType]  # as it comes out of a file
    with pytest.raises(ConfigError, match="allow is a list"):
        Rules(allow="notes_*")


async def test_a_server_that_is_gone_gets_no_call() -> None:
    """The list comes first, so nothing was sent."""
    async with odd() as session:
        pass
    outcome = await ToolCaller(session, Rules(allow=["*"], effects={"*": "read"})).call("notes_find", {})

    assert isinstance(outcome, Stopped)
    assert outcome.reason == "unreachable"
    with pytest.raises(TargetError):
        await ToolCaller(session, Rules(allow=["*"])).tools()
