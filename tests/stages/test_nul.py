"""U+0000 at every place where a client can put text: the same answer on every store, and nothing of it kept."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from fourfold import Catalog, Create, Input, Output, Unit
from fourfold.bootstrap.service import KEYS_VARIABLE
from fourfold.effects import Impact, PlanTerms
from fourfold.model.call import Call
from fourfold.testing import Answer, caller
from tests.postgres.cluster import Cluster
from tests.stages.serving import Served, serving

pytestmark = pytest.mark.anyio

KEY = "a-key-of-16-signs"


class Note(Input):
    """Free text."""

    text: Annotated[str, Field(max_length=100)]


class Kept(Output):
    """The text that was kept."""

    text: Annotated[str, Field(max_length=100)]


def notes() -> Catalog:
    """`note_create`, and `note_burn` behind a plan."""
    catalog = Catalog("notes")

    @catalog.prepare
    def tables(unit: Unit) -> None:
        unit.execute("CREATE TABLE IF NOT EXISTS note (text TEXT NOT NULL)")

    def keep(request: Note, unit: Unit) -> Kept:
        unit.execute("INSERT INTO note VALUES (?)", (request.text,))
        return Kept(text=request.text)

    assert callable(tables)
    plan = PlanTerms(impact=lambda: Impact(summary="Keeps a note"), approval="none")
    for name, effect in (("note_create", Create()), ("note_send", Create(plan=plan))):
        catalog.tool(
            name=name,
            version="1.0",
            does=f"Keeps a note by {name}",
            use_when="the user wants to keep it",
            not_for="reading notes",
            effect=effect,
        )(keep)
    return catalog


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty store of each kind."""
    monkeypatch.setenv(KEYS_VARIABLE, f"k1:{base64.b64encode(b'k' * 32).decode()}")
    if request.param == "postgres":
        cluster: Cluster = request.getfixturevalue("postgres")
        return cluster.store()
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'notes.db'}"


def refused(answer: Answer) -> list[tuple[str, str]]:
    """Where the answer says that something is wrong, and what."""
    assert (answer.kind, answer.code) == ("invalid", "invalid_arguments")
    return [(problem.pointer, problem.code) for problem in answer.problems]


async def test_it_is_an_invalid_argument_on_every_store(url: str) -> None:
    """A2, B4, D1: in free text, in a key wherever it comes, in a plan's id; every other character passes."""
    async with serving(notes(), store=url) as served:
        assert refused(await served.call("note_create", {"text": "a\0b"})) == [("/text", "nul_character")]
        for arguments, key in (({}, f"{KEY}\0"), ({"idempotency_key": f"{KEY}\0"}, None)):
            answer = await served.call("note_create", {"text": "fine", **arguments}, key=key)
            assert refused(answer) == [("/idempotency_key", "nul_character")]
        executed = await served.call("note_send_execute", {"plan_id": "plan_1234\0", "digest": "0" * 64})
        assert refused(executed) == [("/plan_id", "nul_character")]

        odd = "\x01 \x1f \x7f \u2400 \ufffd \ud7ff \U0010ffff \\u0000"
        assert (await served.call("note_create", {"text": odd}, key=KEY)).structured == {"text": odd}
        assert (await served.call("note_create", {"text": odd}, key=KEY)).replayed


async def test_a_run_is_kept_whatever_a_client_calls_itself(url: str) -> None:
    """A9: with U+FFFD in its place, in the names of client and tool."""
    async with serving(notes(), store=url) as served:
        made = Call(tool="note_\0", arguments={}, caller=caller(), client="client\0 1.0")
        await served.service.call(made)
        await served.service.call(replace(made, tool="note_create", arguments={"text": "\0"}))

        assert [(run.tool, run.client) for run in await runs(served)] == [
            ("note_create", "client\ufffd 1.0"),
            ("note_\ufffd", "client\ufffd 1.0"),
        ]


async def test_a_state_with_one_is_no_state(url: str) -> None:
    """B10: like any other that was not sealed here."""
    async with serving(notes(), store=url) as served:
        answer = await served.call("note_create", {"text": "fine"}, state="1.\0")

        assert (answer.kind, answer.code) == ("refused", "invalid_request_state")


async def runs(served: Served) -> list[Any]:
    """Every run, the newest first."""
    return [record.run for record in await served.records()]
