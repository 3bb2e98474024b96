"""The live review, against a real server with planted faults over stdio."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fourfold.edge.target import LiveTarget, connect
from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.finding import Finding
from fourfold.model.listed import ListedCatalog, ListedTool, ToolAnswer
from fourfold.ports.target import Answering, Target
from fourfold.review.live import is_called, review_live
from fourfold.review.saved import listed
from fourfold.review.settings import ReviewSettings
from fourfold.review.view import ToolView

pytestmark = pytest.mark.anyio

COMMAND = [sys.executable, str(Path(__file__).with_name("flawed_server.py"))]


@dataclass
class Overheard:
    """A target that passes everything on, and keeps what was asked."""

    target: Target
    calls: list[tuple[str, JsonObject]] = field(default_factory=list[tuple[str, JsonObject]])

    async def tools(self) -> Any:
        """Every tool."""
        return await self.target.tools()

    async def raw_call(self, tool: str, arguments: JsonObject, *, answering: Answering | None = None) -> ToolAnswer:
        """Call one tool."""
        self.calls.append((tool, arguments))
        return await self.target.raw_call(tool, arguments, answering=answering)


@pytest.fixture
def anyio_backend() -> str:
    """The backend of async tests."""
    return "asyncio"


async def catalog_of(target: LiveTarget) -> ListedCatalog:
    """What the server lists."""
    return listed([*await target.tools()], target="flawed", facts={})


async def reviewed(*flags: str, settings: ReviewSettings | None = None) -> tuple[list[Finding], Overheard]:
    """What a live review of the flawed server finds, and what it asked."""
    async with connect([*COMMAND, *flags], timeout_s=20) as target:
        overheard = Overheard(target)
        found = await review_live(overheard, await catalog_of(target), settings=settings or ReviewSettings())
    return found, overheard


async def test_the_planted_faults_of_a_running_server_are_named() -> None:
    """B6, D2: what leaks, is ignored, coerced, mismatched, repeated, made up, or comes in another order."""
    found, _ = await reviewed()

    assert {(finding.symbol, finding.tool) for finding in found} >= {
        ("list-unstable", ""),
        ("structured-mismatch", "get_invoice"),
        ("unknown-argument-ignored", "get_invoice"),
        ("invalid-argument-accepted", "get_invoice"),
        ("stack-trace", "query_ledger"),
        ("internals-in-error", "query_ledger"),
        ("secret-in-answer", "get_report"),
        ("failure-text-without-iserror", "sync_status"),
        ("page-repeats", "list_invoices"),
        ("made-up-cursor-accepted", "list_invoices"),
    }
    assert "hunter2" not in json.dumps([finding.message + finding.evidence for finding in found])


async def test_our_own_server_has_nothing_to_hide(tmp_path: Path) -> None:
    """B6, C1, D2: bad arguments are refused by name, cursors are sealed, and nothing leaks."""
    told: list[str] = []
    command = [sys.executable, "-m", "fourfold.cli", "serve", "billing:catalog", "--caller", "reader"]
    async with connect([*command, "--store", f"sqlite:///{tmp_path}/billing.db"], timeout_s=30) as target:
        found = await review_live(target, await catalog_of(target), progress=told.append)

    assert "invoice_list" in told
    assert found == []


async def test_only_reads_are_called_and_none_of_them_often() -> None:
    """D2: an unannotated delete and an annotated write stay alone; six calls a tool are enough."""
    _, overheard = await reviewed()
    called = [name for name, _ in overheard.calls]

    assert set(called) == {
        "get_invoice",
        "fetch_invoice",
        "list_invoices",
        "list_payments",
        "query_ledger",
        "get_report",
        "sync_status",
    }
    assert max(called.count(name) for name in called) <= 6


async def test_a_rule_that_is_ignored_is_not_looked_for_in_answers() -> None:
    """C10: the settings hold here as well."""
    found, _ = await reviewed(settings=ReviewSettings(select=("secret-in-answer",)))

    assert [(finding.symbol, finding.tool) for finding in found] == [("secret-in-answer", "get_report")]


async def test_a_server_that_ends_in_the_middle_is_explained() -> None:
    """A3: with the tool that it was asked for, and what to check."""
    with pytest.raises(TargetError, match=r"ended the connection .* check its own output above; it was asked for "):
        await reviewed("--ends")


async def test_a_server_that_does_not_answer_is_explained() -> None:
    """A3: a call has a limit of its own."""
    async with connect([*COMMAND, "--hangs"], timeout_s=1) as target:
        with pytest.raises(TargetError, match=r"did not answer in time; .* it was asked for get_invoice, with \{"):
            await review_live(target, await catalog_of(target))


async def test_when_time_is_up_what_was_not_called_is_told() -> None:
    """D2: the review as a whole has a limit, too."""
    told: list[str] = []
    async with connect([*COMMAND, "--hangs"], timeout_s=20) as target:
        catalog = await catalog_of(target)
        settings = ReviewSettings(ignore=("list-unstable",))
        found = await review_live(target, catalog, settings=settings, progress=told.append, limit_s=0.2)

    assert found == []
    assert told == ["get_invoice", "time is up: 7 reads were not called"]


@pytest.mark.parametrize(
    ("name", "hints", "called"),
    [
        ("get_invoice", {"readOnlyHint": True}, True),
        ("get_invoice", {"readOnlyHint": "true"}, False),
        ("get_invoice", {}, False),
        ("delete_invoice", {"readOnlyHint": True}, False),
        ("run_report", {"readOnlyHint": True}, True),
    ],
)
async def test_a_tool_is_called_only_if_it_says_that_it_reads(name: str, hints: Any, *, called: bool) -> None:
    """D2: a name that says otherwise is believed more than a hint."""
    tool = ToolView(ListedTool(definition={"name": name, "annotations": hints}))

    assert is_called(tool) is called
