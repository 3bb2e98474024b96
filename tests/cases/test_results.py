"""Recorded cases about results: what reaches a client when a tool succeeds, half succeeds, or fails."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from pydantic import Field, ValidationError

from fourfold import Fault, Output, Page, PageRequest, Retry
from tests.cases.wire import deployed
from tests.stages.desk import ACCOUNT, FAULTS, Nothing, Said, SaidOnce, desk, one_tool, said

pytestmark = pytest.mark.anyio


class NotEnabled(Fault):
    """Workflow is not enabled for this client."""

    code, retry, next_step = "not_enabled", Retry.NEVER, "Ask an owner to enable it"


def flow_get(request: SaidOnce) -> Said:
    """Fails with the text that the caller sent."""
    raise NotEnabled(request.word)


@pytest.mark.parametrize("text", ["Workflow is not enabled for this client.", "Nicht verfügbar – ß", "a\nb"])
async def test_a_fault_keeps_its_text_and_has_no_result(text: str) -> None:
    """A5, B6; MP-040, MP-041: nothing is compared with the output schema, and nothing is there that could be."""
    async with deployed(one_tool(flow_get, faults=[NotEnabled])) as wire:
        result = await wire.call("note_add", {"word": text})

        assert result["isError"] is True
        assert "structuredContent" not in result
        (block,) = result["content"]
        said_as = text if text.endswith(".") else f"{text}."
        assert block["text"].splitlines()[0] == f"not_enabled: {said_as} Ask an owner to enable it.".splitlines()[0]
        assert said_as in block["text"]


def wrong_shape(request: Nothing) -> Said:
    """Returns what its contract does not say."""
    result: Any = {"wrong": "shape"}
    return result


async def test_a_result_of_another_shape_is_a_failure_without_internals() -> None:
    """B3; MP-043: no success with a repr in it; the run record counts it."""
    async with deployed(one_tool(wrong_shape)) as wire:
        result = await wire.call("note_add")

        assert result["isError"] is True
        assert "structuredContent" not in result
        assert "shape" not in json.dumps(result)
        assert [(run.outcome, run.code) for run in await wire.runs()] == [("failed", "internal")]


async def test_every_success_has_its_structured_result() -> None:
    """B3; MP-044: made from the typed value, with the same bytes once more as text."""
    async with deployed(one_tool(said)) as wire:
        result = await wire.call("note_add", {"word": "hello"})

        assert result["isError"] is False
        assert result["structuredContent"] == {"text": "hello"}
        assert json.loads(result["content"][-1]["text"]) == result["structuredContent"]


UPSTREAM = [
    {"id": "a1", "response": {"ok": True}},
    {"id": "a2", "response": [1, 2]},
    {"id": "a3", "response": {"ok": False}},
]


class Response(Output):
    """What the audited call returned."""

    ok: bool


class Row(Output):
    """One entry of the audit log."""

    id: Annotated[str, Field(max_length=10)]
    response: Response


class FailedRow(Output):
    """An entry that could not be read."""

    id: Annotated[str, Field(max_length=10)]
    code: Annotated[str, Field(max_length=40)]


class AuditLog(Output):
    """The entries that could be read, and those that could not."""

    rows: Annotated[list[Row], Field(max_length=50)]
    failed: Annotated[list[FailedRow], Field(max_length=50)]


def audit_log(request: Nothing) -> AuditLog:
    """Reads row by row."""
    rows: list[Row] = []
    failed: list[FailedRow] = []
    for row in UPSTREAM:
        try:
            rows.append(Row.model_validate(row))
        except ValidationError:
            failed.append(FailedRow(id=str(row["id"]), code="unexpected_upstream_shape"))
    return AuditLog(rows=rows, failed=failed)


def audit_log_at_once(request: Nothing) -> AuditLog:
    """Reads everything or nothing."""
    return AuditLog(rows=[Row.model_validate(row) for row in UPSTREAM], failed=[])


async def test_one_odd_row_does_not_lose_the_page() -> None:
    """B3; MP-046: the contract has a place for rows that failed, and the handler fills it."""
    async with deployed(one_tool(audit_log)) as wire:
        result = await wire.call("note_add")

        assert result["isError"] is False
        assert [row["id"] for row in result["structuredContent"]["rows"]] == ["a1", "a3"]
        assert result["structuredContent"]["failed"] == [{"id": "a2", "code": "unexpected_upstream_shape"}]


async def test_no_validator_dump_reaches_a_model() -> None:
    """A5; MP-046: also not from a handler that reads all rows at once."""
    async with deployed(one_tool(audit_log_at_once)) as wire:
        text = json.dumps(await wire.call("note_add"))

        assert not [
            word for word in ("validation error", "Input should", "Row", "Traceback", "pydantic") if word in text
        ]


async def test_the_text_of_a_fault_says_how_long_to_wait() -> None:
    """A5, B7; MP-047: for clients that show the model nothing else."""
    async with deployed(desk()) as wire:
        result = await wire.call("note_add", {"account_id": ACCOUNT, "text": "locked"})

        (block,) = result["content"]
        assert block["text"].startswith("file_locked: Somebody else works on this file. Wait, then repeat the call.")
        assert "2000" in block["text"]
        assert result["_meta"]["fourfold/fault"]["retry_after_ms"] == 2_000


@pytest.mark.parametrize("text", [*FAULTS, "broken"])
async def test_every_failure_says_that_it_is_one(text: str) -> None:
    """A4, A5; MP-049: each declared fault is provoked, and an exception too."""
    async with deployed(desk()) as wire:
        result = await wire.call("note_add", {"account_id": ACCOUNT, "text": text})

        assert result["isError"] is True
        assert result["content"][0]["text"].startswith(f"{result['_meta']['fourfold/fault']['code']}: ")


async def test_an_invalid_and_a_hidden_call_are_no_results() -> None:
    """A4, B6; MP-049: a missing argument is an error of the tool, an unknown tool one of the protocol."""
    async with deployed(desk()) as wire:
        assert (await wire.call("note_add", {"text": "hi"}))["isError"] is True
        answer = await wire.request("tools/call", {"name": "note_burn", "arguments": {}})
        assert (answer["error"]["code"], "result" in answer) == (-32602, False)


async def test_a_success_may_speak_of_errors() -> None:
    """MP-049: nobody guesses from words."""
    async with deployed(one_tool(said)) as wire:
        result = await wire.call("note_add", {"word": "3 errors were found in the last hour; see list."})

        assert result["isError"] is False


@pytest.mark.parametrize(
    "envelope",
    [
        {"success": False, "error_code": "SQL_ERROR", "error": "table not found"},
        {"ok": False, "error": {"code": "invalid_id"}},
        "Error executing ClusterHealth: AuthenticationException(401, 'Unauthorized')",
        None,
    ],
)
async def test_a_handler_cannot_return_a_failure_as_a_success(envelope: Any) -> None:
    """A4; MP-049, MP-050: a text or an envelope of its own is no result; a typed fault is the way."""

    def handler(request: Nothing) -> Said:
        return envelope

    async with deployed(one_tool(handler)) as wire:
        result = await wire.call("note_add")

        assert result["isError"] is True
        assert result["_meta"]["fourfold/fault"]["code"] == "internal"
        assert not [word for word in ("SQL_ERROR", "invalid_id", "Unauthorized") if word in json.dumps(result)]


class Remark(Output):
    """A remark about a paragraph."""

    number: Annotated[int, Field(ge=0, le=4_000)]
    text: Annotated[str, Field(max_length=200)]


def status(request: Nothing, page: PageRequest) -> Page[Remark]:
    """Four thousand remarks, a page at a time."""
    after = int(page.after[0]) if page.after else 0
    found = [
        Remark(number=number, text="annotation: check this paragraph again. " * 4)
        for number in range(after + 1, min(after + page.limit + 1, 4_000) + 1)
    ]
    return Page[Remark].of(found, page, position=lambda remark: (remark.number,), total=4_000)


async def test_a_large_result_comes_in_pages_that_a_model_can_take() -> None:
    """B3, B19; MP-065: bounded far below 25,000 tokens, with a count and a way on."""
    async with deployed(one_tool(status)) as wire:
        result = await wire.call("note_add")
        page = result["structuredContent"]

        assert (page["returned"], page["has_more"], page["total"]) == (50, True, 4_000)
        assert len(json.dumps(result)) / 4 < 25_000
        following = await wire.call("note_add", {"cursor": page["next_cursor"]})
        assert following["structuredContent"]["items"][0]["number"] == 51


def dump(request: Nothing) -> Said:
    """Everything at once."""
    return Said(text="annotation: check this paragraph again. " * 2_000)


async def test_a_result_over_the_bound_is_never_cut_in_silence() -> None:
    """B19; MP-065: it is refused, with its size and what to do instead."""
    async with deployed(one_tool(dump)) as wire:
        result = await wire.call("note_add")

        assert result["content"][0]["text"] == (
            "result_too_large: The result has 80,011 bytes, over 65,536. "
            "Narrow the request, or ask for fewer items a page."
        )
