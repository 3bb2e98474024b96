"""Recorded cases about errors: what they say to a model, and what they never say to anybody."""

from __future__ import annotations

import json
import logging
import re
import socket
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from fourfold import Fault, Input, Retry, UpstreamUnavailable
from tests.cases.wire import deployed
from tests.stages.desk import Nothing, Said, SaidOnce, desk, one_tool

pytestmark = pytest.mark.anyio

INTERNALS = re.compile(r"Traceback|File \"|\.py\b|\b[A-Z]\w*(?:Error|Exception)\b|site-packages|0x[0-9a-f]{6}")


def fault_of(result: Any) -> dict[str, Any]:
    """The fault in a result's metadata."""
    return result["_meta"]["fourfold/fault"]


class NotFound(Fault):
    """There is no such file."""

    code, retry, next_step = "not_found", Retry.NEVER, "List the folder to see what is there; repeating will not help"


class ReadFile(Input):
    """A path below the shared folder."""

    path: Annotated[str, Field(max_length=100)]


def read_file(request: ReadFile) -> Said:
    """Never finds it."""
    raise NotFound(f"There is no file {request.path}", at="/path")


async def test_a_permanent_failure_says_that_it_is_permanent() -> None:
    """A4, B7; MP-052: in plain words and as a verb, with the argument that it is about."""
    async with deployed(one_tool(read_file, faults=[NotFound])) as wire:
        result = await wire.call("note_add", {"path": "a.txt"})

        assert result["isError"] is True
        assert "not_found: There is no file a.txt." in result["content"][0]["text"]
        assert "repeating will not help" in result["content"][0]["text"]
        fault = fault_of(result)
        assert (fault["code"], fault["retry"]) == ("not_found", "never")
        assert [problem["pointer"] for problem in fault["problems"]] == ["/path"]


def list_hosts(request: Nothing) -> Said:
    """The inventory does not answer."""
    raise UpstreamUnavailable("The inventory refused the connection", retry_after_ms=5_000)


async def test_the_third_equal_failure_reads_differently() -> None:
    """B7; MP-053: a model repeats what reads like new; the record shows four calls of one kind."""
    async with deployed(one_tool(list_hosts)) as wire:
        results = [await wire.call("note_add") for _ in range(4)]

        texts = [result["content"][0]["text"] for result in results]
        faults = [fault_of(result) for result in results]
        assert [(fault["retry"], fault["retry_after_ms"]) for fault in faults[:2]] == [("after", 5_000)] * 2
        assert [fault["retry"] for fault in faults[2:]] == ["never"] * 2
        assert "do not repeat it, and report it to the user" in texts[2]
        assert "failed 4 times" in texts[3]
        assert all("The inventory refused the connection" in text for text in texts)
        runs = await wire.runs()
        assert (len(runs), len({run.arguments_digest for run in runs})) == (4, 1)


@pytest.mark.parametrize("words", [["a", "a", "b", "a"], ["a", "a", "fine", "a"]])
async def test_other_calls_do_not_hide_a_repeated_failure(words: list[str]) -> None:
    """B7; MP-053: only a success of the same call ends the row."""

    def handler(request: SaidOnce) -> Said:
        if request.word == "fine":
            return Said(text="ok")
        raise UpstreamUnavailable

    async with deployed(one_tool(handler)) as wire:
        results = [await wire.call("note_add", {"word": word}) for word in words]

        assert "do not repeat it" in results[-1]["content"][0]["text"]


async def test_a_success_ends_the_row_of_failures() -> None:
    """B7; MP-053: a host that is up again is up."""
    answers = iter([True, True, False, True])

    def handler(request: Nothing) -> Said:
        if next(answers):
            raise UpstreamUnavailable
        return Said(text="ok")

    async with deployed(one_tool(handler)) as wire:
        results = [await wire.call("note_add") for _ in range(4)]

        assert "do not repeat it" not in results[-1]["content"][0]["text"]


class FindOrgs(Input):
    """Where to look."""

    region_url: Annotated[str | None, Field(max_length=100)] = None


class RegionUnreachable(Fault):
    """The region does not answer."""

    code, retry, next_step = (
        "region_unreachable",
        Retry.AFTER_FIX,
        "Correct region_url, or omit it for the default region",
    )


def resolve(url: str) -> None:
    """No name is known."""
    raise socket.gaierror(f"Name or service not known: {url}")


def find_orgs(request: FindOrgs) -> Said:
    """Only the default region is there."""
    try:
        if request.region_url is not None:
            resolve(request.region_url)
    except socket.gaierror:
        raise RegionUnreachable(at="/region_url", expected="a region that answers") from None
    return Said(text="acme")


async def test_a_failure_that_an_argument_decides_names_the_argument() -> None:
    """A2, B7; MP-056: the author says which one, and leaving it out succeeds."""
    async with deployed(one_tool(find_orgs, faults=[RegionUnreachable])) as wire:
        result = await wire.call("note_add", {"region_url": "https://eu.example.invalid"})

        assert "region_url" in result["content"][0]["text"]
        assert "omit it" in result["content"][0]["text"]
        assert fault_of(result)["problems"] == [
            {
                "pointer": "/region_url",
                "path": "region_url",
                "code": "region_unreachable",
                "expected": "a region that answers",
            }
        ]
        assert (await wire.call("note_add"))["isError"] is False


class OperationalError(Exception):
    """As a database driver raises it."""


def report(request: Nothing) -> Said:
    """Tells everything, in an exception."""
    raise OperationalError("could not connect: postgresql://svc:hunter2@db.internal:5432/prod")


async def test_an_exceptions_text_stays_on_the_server() -> None:
    """A5; MP-058: the caller has an id that finds it; the password is masked even there."""
    async with deployed(one_tool(report)) as wire:
        result = await wire.call("note_add")

        assert not [
            word for word in ("hunter2", "db.internal", "postgresql", "OperationalError") if word in json.dumps(result)
        ]
        (run,) = await wire.runs()
        assert run.reference == fault_of(result)["reference"]
        assert run.reference in result["content"][0]["text"]
        assert "OperationalError: could not connect" in run.note
        assert "hunter2" not in run.note


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("note_add", {"account_id": "acct-1", "text": "broken"}),
        ("note_add", {"account_id": "acct-1", "text": "closed"}),
        ("note_add", {"account_id": ["no"], "text": {"no": 1}, "zzz": None}),
        ("note_burn", {}),
        ("word_say", {"word": 5.5}),
    ],
)
async def test_no_answer_to_a_call_shows_a_stack(tool: str, arguments: dict[str, Any]) -> None:
    """A5; MP-059: no frames, files or class names, whatever goes wrong."""
    async with deployed(desk()) as wire:
        answer = await wire.request("tools/call", {"name": tool, "arguments": arguments})

        assert INTERNALS.search(json.dumps(answer)) is None


@pytest.mark.parametrize(
    ("content", "token"),
    [
        (b"{", "token-of-the-tester"),
        (b"[]", "token-of-the-tester"),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":7}', "token-of-the-tester"),
        (b"\xff\xfe", "token-of-the-tester"),
        (b"{}", None),
        (b"{}", "somebody-elses-token"),
    ],
)
async def test_no_http_error_shows_a_stack(content: bytes, token: str | None) -> None:
    """A5; MP-059: error bodies included."""
    async with deployed(desk()) as wire:
        answer = await wire.post(content, token=token, mcp_method="tools/call")

        assert 400 <= answer.status_code < 500
        assert INTERNALS.search(answer.text) is None


EVENT: dict[str, Any] = {
    "tool": "create_pipe",
    "arguments": {
        "steps": [{"params": {"apiKey": "AK-1", "Cookie": "sid=1", "note": "-----BEGIN PRIVATE KEY-----\nMII"}}],
        "Headers": [["X-Api-Key", "AK-2"]],
    },
    "result": {"password": "p1-hidden"},
}
GIVEN_AWAY = ("AK-1", "AK-2", "sid=1", "BEGIN PRIVATE KEY", "p1-hidden", "eyJhbGci", "abc123")


def create_pipe(request: SaidOnce) -> Said:
    """Tells everything that it knows, in an exception."""
    upstream = {"headers": {"Authorization": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1MSJ9.c2ln"}}
    raise RuntimeError(f"{EVENT} {upstream} https://api.example.com/me?access_token=abc123")


def bytes_in(folder: Path) -> list[str]:
    """Every file in `folder`, byte for byte."""
    return [path.read_bytes().decode("latin-1") for path in folder.iterdir() if path.is_file()]


async def test_runs_and_logs_hold_no_credentials(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """B16, A9; MP-061, MP-062: by default; arguments are not stored at all, and what an exception quotes is masked."""
    with caplog.at_level(logging.DEBUG, logger="fourfold"):
        async with deployed(one_tool(create_pipe, name="create_pipe"), store=f"sqlite:///{tmp_path}/pipes.db") as wire:
            await wire.call("create_pipe", EVENT["arguments"])
            await wire.call("create_pipe", {"word": "AK-1"})
            stored = [json.dumps(asdict(run), default=str) for run in await wire.runs()]

    assert len(stored) == 2
    assert all("create_pipe" in run for run in stored)
    kept = [*stored, caplog.text, *bytes_in(tmp_path)]
    assert not [word for text in kept for word in GIVEN_AWAY if word in text]
