"""Recorded cases about identity: who calls comes from the transport, and decides what is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import pytest
from pydantic import Field

from fourfold import (
    Caller,
    Catalog,
    Create,
    Decision,
    Fault,
    Input,
    PolicyQuestion,
    Read,
    Resource,
    Retry,
    Unit,
)
from fourfold.testing import caller
from tests.cases.wire import deployed
from tests.stages.desk import Nothing, Said, SaidOnce, one_tool, said

pytestmark = pytest.mark.anyio

U1, U2 = "token-of-user-one", "token-of-user-two"
USERS = {U1: caller("u1", scopes=[]), U2: caller("u2", scopes=[])}


class Memory(Input):
    """Something to keep."""

    text: Annotated[str, Field(max_length=100)]


def memory_store(request: Memory, unit: Unit, caller: Caller) -> Said:
    """Kept for whoever calls."""
    unit.execute("INSERT INTO note (tenant, account_id, body) VALUES (?, 'memory', ?)", (caller.tenant, request.text))
    return Said(text="kept")


@pytest.mark.parametrize(
    ("argument", "value"), [("tenant", "t2"), ("user_id", "u2"), ("Tenant", "t2"), ("principal", None)]
)
async def test_identity_is_not_an_argument(argument: str, value: Any) -> None:
    """B2, B18; MP-094: a caller that sends one is told that there is none, and nothing is kept."""
    async with deployed(one_tool(memory_store, Create())) as wire:
        result = await wire.call("note_add", {"text": "x", argument: value})

        fault = result["_meta"]["fourfold/fault"]
        assert (result["isError"], fault["code"]) == (True, "invalid_arguments")
        assert [(problem["pointer"], problem["code"]) for problem in fault["problems"]] == [
            (f"/{argument}", "unknown_argument")
        ]
        assert [run.outcome for run in await wire.runs()] == ["invalid"]


FILES = {"u1": "a.txt", "u2": "b.txt"}


def file_list(request: Nothing, caller: Caller) -> Said:
    """The caller's own files."""
    return Said(text=FILES[caller.principal])


async def test_two_callers_see_their_own_and_nobody_is_a_default() -> None:
    """B18; MP-095: one after the other over one connection, and a third without a token."""
    async with deployed(one_tool(file_list), USERS) as wire:
        first, second, again = [await wire.call("note_add", token=token) for token in (U1, U2, U1)]

        assert [result["structuredContent"]["text"] for result in (first, second, again)] == ["a.txt", "b.txt", "a.txt"]
        refused = await wire.post(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', token=None)
        assert refused.status_code == 401
        assert [run.principal for run in await wire.runs()] == ["u1", "u2", "u1"]


@pytest.mark.parametrize("empty", ["principal", "tenant"])
def test_an_anonymous_caller_cannot_even_be_made(empty: str) -> None:
    """B18; MP-095: there is no value that means anybody."""
    somebody = Caller(principal="u1", tenant="acme")

    with pytest.raises(ValueError, match="an anonymous caller is refused"):
        replace(somebody, **{empty: ""})


class Viewers:
    """Editors do everything; viewers read."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """One function for the list and for the call."""
        allowed = question.caller.principal == "u2" or not question.contract.effect.writes
        return Decision(verdict="allow" if allowed else "deny")


def documents(deleted: list[str]) -> Catalog:
    """A catalog of `doc_read` and `doc_delete`."""
    catalog = Catalog("documents", policy=Viewers())

    def doc_delete(request: SaidOnce) -> Said:
        deleted.append(request.word)
        return Said(text="deleted")

    for name, handler, effect in (("doc_read", said, Read()), ("doc_delete", doc_delete, Create())):
        catalog.tool(
            name=name,
            version="1.0",
            does=f"Does what {name} says",
            use_when=f"{name} is wanted",
            not_for="any other thing",
            effect=effect,
        )(handler)
    return catalog


async def test_a_list_that_differs_by_caller_is_private() -> None:
    """B11; MP-097: no shared cache may hand it to somebody else."""
    async with deployed(documents([]), USERS) as wire:
        viewer, editor = await wire.listed(token=U1), await wire.listed(token=U2)

        assert [tool["name"] for tool in viewer["tools"]] == ["doc_read", "operation_status"]
        assert [tool["name"] for tool in editor["tools"]] == ["doc_delete", "doc_read", "operation_status"]
        assert (viewer["cacheScope"], editor["cacheScope"]) == ("private", "private")


async def test_a_tool_that_is_not_listed_cannot_be_called() -> None:
    """B11, B18; MP-098: the refusal is that of a name that does not exist, and nothing is deleted."""
    deleted: list[str] = []
    async with deployed(documents(deleted), USERS) as wire:
        hidden, made_up = [
            await wire.request("tools/call", {"name": name, "arguments": {"word": "1"}}, token=U1)
            for name in ("doc_delete", "doc_explode")
        ]

        assert hidden == made_up
        assert hidden["error"]["code"] == -32602
        assert deleted == []
        assert (await wire.call("doc_delete", {"word": "1"}, token=U2))["isError"] is False


class NoProject(Fault):
    """No project with that id is visible to you."""

    code, retry, next_step = "no_project", Retry.NEVER, "Ask the user which project they mean"


class ProjectRef(Input):
    """A project."""

    project_id: Annotated[str, Field(max_length=10)]


GRANTS = {"u1": {"p1"}, "u2": {"p1", "p2"}}


class Granted:
    """Whoever was granted a project may see it."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """By the object that was found."""
        if question.resource is None:
            return Decision(verdict="depends")
        allowed = question.resource.id in GRANTS[question.caller.principal]
        return Decision(verdict="allow" if allowed else "deny")


def find_project(request: ProjectRef) -> Resource | None:
    """Two projects are there."""
    return Resource(id=request.project_id) if request.project_id in {"p1", "p2"} else None


async def test_an_object_is_checked_before_anything_is_asked_upstream() -> None:
    """B18; MP-100: a foreign project and none at all give the same bytes, and the upstream is not called."""
    upstream: list[str] = []

    def project_get(request: ProjectRef) -> Said:
        upstream.append(request.project_id)
        return Said(text=request.project_id)

    catalog = one_tool(project_get, missing=NoProject, resource=find_project, policy=Granted())
    async with deployed(catalog, USERS) as wire:
        assert (await wire.call("note_add", {"project_id": "p1"}, token=U1))["isError"] is False
        foreign, none = [await wire.call("note_add", {"project_id": found}, token=U1) for found in ("p2", "p3")]

        assert foreign == none
        assert foreign["isError"] is True
        assert upstream == ["p1"]
