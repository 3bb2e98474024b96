"""The protocol checks: each finds its flaw in a small server that has it, and nothing in servers that have none."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fourfold.bootstrap.load import load_catalog
from fourfold.bootstrap.proving import Address, Terms, proving_catalog, proving_server, two_callers
from fourfold.edge.wire_stdio import stdio_wire
from fourfold.model.proof import Verdict
from fourfold.prove.desk import Desk
from fourfold.prove.engine import Selection, items, run_check
from fourfold.prove.learn import learn
from fourfold.prove.registry import all_checks

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
SHOULD = {check.name for check in all_checks() if check.weight == "should"}
SMALL = [sys.executable, "-m", "tests.prove.small_server_main"]
TERMS = Terms(seed=1, max_calls=2_000, writes=False)
PROTOCOL = Selection(only=("protocol",))

OVER_HTTP = {
    "no_result_type": "protocol-result-type",
    "no_server_info": "protocol-server-info",
    "discover_without_ttl": "protocol-discover",
    "envelope_optional": "protocol-envelope",
    "client_info_required": "protocol-client-info",
    "version_taken": "protocol-version-refused",
    "remembers": "protocol-no-memory",
    "unknown_method_is_invalid": "protocol-unknown-method",
    "undeclared_prompts": "protocol-capabilities",
    "id_as_text": "protocol-id-echoed",
    "any_id": "protocol-id-refused",
    "null_id": "protocol-error-without-id",
    "takes_batches": "protocol-batch-refused",
    "sends_requests": "protocol-no-requests",
    "ignores_headers": "protocol-header-mismatch",
    "header_names_matter": "protocol-header-names",
    "name_not_decoded": "protocol-name-encoding",
    "ignores_parameter_headers": "protocol-parameter-headers",
    "answers_get": "protocol-post-only",
    "opens_sessions": "protocol-no-session",
    "any_origin": "protocol-origin",
    "answers_notifications": "protocol-notification-accepted",
    "streams_errors": "protocol-error-not-streamed",
    "stream_stays_open": "protocol-stream-ends",
    "mixed_scopes": "protocol-list-caching",
    "list_grows": "protocol-list-stable",
    "public_list": "protocol-list-private",
    "any_cursor": "protocol-bad-cursor",
    "null_cursor": "protocol-list-pages",
    "invalid_schema": "protocol-input-schemas",
    "dies_of_depth": "protocol-deep-arguments",
    "invalid_is_protocol_error": "protocol-invalid-arguments",
    "unknown_tool_is_result": "protocol-unknown-tool",
    "takes_list_arguments": "protocol-malformed-call",
    "no_mirror": "protocol-text-mirror",
    "no_content": "protocol-content",
    "logs_unasked": "protocol-no-logs",
    "tells_progress": "protocol-progress",
    "listen_without_id": "protocol-listen",
    "no_token_needed": "protocol-token-required",
    "old_codes": "protocol-error-codes",
    "handshake_of_2026": "protocol-legacy-handshake",
    "newer_fields": "protocol-legacy-fields",
    "locks_era": "protocol-eras-together",
}
"""The check that each flaw is for; other checks may see it as well."""

OVER_STDIO = {
    "answers_cancel": "protocol-cancel-ignored",
    "prints": "protocol-stdout-pure",
    "stays": "protocol-exit-at-end",
    "breaks_lines": "protocol-one-line",
}

OF_BOTH_ERAS = {
    "protocol-bad-cursor",
    "protocol-batch-refused",
    "protocol-cancel-ignored",
    "protocol-content",
    "protocol-id-echoed",
    "protocol-input-schemas",
    "protocol-legacy-handshake",
    "protocol-list-pages",
    "protocol-list-stable",
    "protocol-malformed-call",
    "protocol-text-mirror",
    "protocol-unknown-method",
    "protocol-unknown-tool",
}


@pytest.fixture(scope="module")
def small_url() -> Generator[str]:
    """Where the small server is; the path names its flaw."""
    with subprocess.Popen([*SMALL, "http"], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()
        process.communicate()


@asynccontextmanager
async def over_http(url: str) -> AsyncGenerator[Desk]:
    """The desk of a server at a URL, with two callers."""
    addresses = [Address(target=url, token=token) for token in ("first", "second")]
    async with proving_server(addresses, TERMS) as desk:
        yield desk


@asynccontextmanager
async def over_stdio(*command: str) -> AsyncGenerator[Desk]:
    """The desk of a command, which is not waited for as long as usual."""
    async with (
        proving_server([Address(target=command)], TERMS) as desk,
        stdio_wire(command, revision=desk.revision, timeout_s=1.0) as wire,
    ):
        yield replace(desk, wire=wire)


async def verdicts(desk: Desk, selection: Selection = PROTOCOL) -> dict[str, Verdict]:
    """The verdict of each check that applies."""
    return {check.name: await run_check(check, desk, tool=tool) for check, tool in items(desk, selection)}


@pytest.mark.parametrize("flaw", OVER_HTTP)
async def test_each_flaw_over_http_is_found_by_its_check(small_url: str, flaw: str) -> None:
    """B13: a check that nothing fails would prove nothing."""
    name = OVER_HTTP[flaw]
    async with over_http(f"{small_url}/{flaw}") as desk:
        found = await verdicts(desk, Selection(only=(name,)))
    assert found[name].status == ("warned" if name in SHOULD else "failed"), found


@pytest.mark.parametrize("flaw", OVER_STDIO)
async def test_each_flaw_over_stdio_is_found_by_its_check(flaw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """B13: as over HTTP."""
    monkeypatch.chdir(ROOT)
    name = OVER_STDIO[flaw]
    async with over_stdio(*SMALL, "stdio", flaw) as desk:
        found = await verdicts(desk, Selection(only=(name,)))
    assert found[name].status == ("warned" if name in SHOULD else "failed"), found


async def test_a_server_without_flaws_passes_every_check_over_http(small_url: str) -> None:
    """B13: every check of HTTP applies to the small server, and none finds anything."""
    async with over_http(small_url) as desk:
        found = await verdicts(desk)
    assert {name: verdict.detail for name, verdict in found.items() if verdict.status != "passed"} == {}
    assert {*OVER_HTTP.values(), "protocol-cancel-ignored"} == {*found}


async def test_a_server_without_flaws_passes_every_check_over_stdio(monkeypatch: pytest.MonkeyPatch) -> None:
    """B13: without headers there is less to check, and only the second caller is missing."""
    monkeypatch.chdir(ROOT)
    async with over_stdio(*SMALL, "stdio") as desk:
        found = await verdicts(desk)
    assert {name: verdict.detail for name, verdict in found.items() if verdict.status == "failed"} == {}
    assert {name for name, verdict in found.items() if verdict.status == "not_tested"} == {"protocol-list-private"}
    assert {*OVER_STDIO.values()} <= {*found}


async def test_a_server_of_an_older_revision_is_asked_after_a_handshake(
    small_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B13: what belongs to 2026-07-28 is not tested there, and says so; the rest passes."""
    monkeypatch.chdir(ROOT)
    async with over_http(f"{small_url}/older") as http, over_stdio(*SMALL, "stdio", "older") as stdio:
        found = [await verdicts(http), await verdicts(stdio)]
    assert [verdict for each in found for verdict in each.values() if verdict.status == "failed"] == []
    passed = [{name for name, verdict in each.items() if verdict.status == "passed"} for each in found]
    assert passed[0] & passed[1] >= OF_BOTH_ERAS
    assert "the server speaks 2025-11-25, not 2026-07-28" in {verdict.detail for verdict in found[0].values()}


@asynccontextmanager
async def billing() -> AsyncGenerator[Desk]:
    """The desk of the billing catalog over HTTP, with two callers."""
    loaded = load_catalog("billing:catalog")
    scopes = frozenset(scope for tool in loaded.built.tools.values() for scope in tool.contract.needs)
    callers = two_callers((), scopes)
    async with proving_catalog(loaded, callers, terms=TERMS, target="billing:catalog") as desk:
        yield desk


async def test_the_billing_server_passes_every_check_over_http() -> None:
    """B13, B9: our own server keeps the lines of the specification that can be seen from outside."""
    async with billing() as desk:
        await learn(desk)
        found = await verdicts(desk)
    assert {name: verdict.detail for name, verdict in found.items() if verdict.status != "passed"} == {}
    assert len(found) == 45


@pytest.mark.timeout(300)  # it starts the server ten times
async def test_the_billing_server_passes_every_check_over_stdio(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B13, B9: as a command, on a store that holds nothing."""
    monkeypatch.chdir(tmp_path)
    command = [str(Path(sys.executable).with_name("fourfold")), "serve", "billing:catalog"]
    async with proving_server([Address(target=command)], TERMS) as desk:
        await learn(desk)
        found = await verdicts(desk)
    wrong = {name: verdict.detail for name, verdict in found.items() if verdict.status != "passed"}
    assert wrong == {"protocol-list-private": "it takes two callers of different tenants"}
    assert len(found) == 36


async def test_a_schema_that_is_listed_otherwise_than_its_contract_has_it_is_found() -> None:
    """B13: planted in what is compared with, because our own server has no such flaw."""
    only = Selection(only=("protocol-schema-verbatim",))
    async with billing() as desk:
        first, *others = desk.catalog.tools
        assert first.contract is not None
        schema = {**first.contract.input_schema, "$comment": "lost on the way"}
        planted = replace(first, contract=replace(first.contract, input_schema=schema))
        catalog = replace(desk.catalog, tools=(planted, *others))
        found = await verdicts(replace(desk, catalog=catalog), only)
    assert found["protocol-schema-verbatim"].status == "failed"


async def test_without_a_wire_nothing_of_the_protocol_is_called_tested(small_url: str) -> None:
    """B13: not tested is never green, and says what would make it testable."""
    async with over_http(small_url) as desk:
        found = await verdicts(replace(desk, wire=None))
    assert {verdict.status for verdict in found.values()} == {"not_tested"}
    assert all(verdict.next_step for verdict in found.values())
