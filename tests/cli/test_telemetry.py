"""What `fourfold serve` sends to a collector: exactly this, nothing that a caller sent, never at a call's expense."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx2
import pytest

from fourfold.edge.target import connect
from fourfold.model.conventions import METRICS, SPAN
from fourfold.model.listed import ToolAnswer
from tests.adapters.telemetry.collector import Collector, Point, SeenSpan, collecting
from tests.billing.books import MADE_UP_ACCOUNT, order
from tests.cli.commands import FOURFOLD, Server, fourfold, serving
from tests.edge.wire import headers_of, modern

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("workspace")]

_CANARY_TOKEN = "canary-token-0123456789"
_CONFIGURATION = f"""\
[[caller]]
name = "canary-caller"
tenant = "canary-tenant"
principal = "canary-principal"
token_sha256 = "{sha256(_CANARY_TOKEN.encode()).hexdigest()}"
"""
_BOX = {"box": "box-1", "item": "canary-item", "pin": "canary-pin"}
_KEYED = {**_BOX, "idempotency_key": "canary-key-of-monday"}
_VOLATILE = {"jsonrpc.request.id", "fourfold.run.id", "fourfold.operation.id"}
_PARENT = "00-11111111111111111111111111111111-2222222222222222-01"
_AROUND = "00-33333333333333333333333333333333-4444444444444444-01"


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Generator[Collector]:
    """A collector that servers started here send to, without long waits."""
    with collecting() as opened:
        for name, value in {
            "OTEL_EXPORTER_OTLP_ENDPOINT": opened.url,
            "OTEL_EXPORTER_OTLP_HEADERS": "authorization=canary-of-the-collector",
            "OTEL_METRIC_EXPORT_INTERVAL": "200",
            "OTEL_BSP_SCHEDULE_DELAY": "100",
            "NO_PROXY": "127.0.0.1",
        }.items():
            monkeypatch.setenv(name, value)
        yield opened


def _strongbox(stack: ExitStack) -> Server:
    Path("fourfold.toml").write_text(_CONFIGURATION, "utf-8")
    return stack.enter_context(serving("--http", "127.0.0.1:0", target="strongbox:catalog"))


async def _every_ending(url: str) -> list[ToolAnswer]:
    """A list, then a call for each way in which one can end, in the order of `_ENDED`."""
    async with connect(url, token=_CANARY_TOKEN) as target:
        await target.tools()
        return [
            await target.raw_call(tool, arguments)
            for tool, arguments in (
                ("item_put", _KEYED),
                ("item_put", _KEYED),
                ("item_put", {**_KEYED, "item": "canary-other"}),
                ("item_put", {**_BOX, "box": "canary-box", "canary_argument": 1}),
                ("item_put", {**_BOX, "box": "box-7"}),
                ("item_put", {**_BOX, "box": "box-13"}),
                ("item_get", {"box": "box-2"}),
                ("rent_pay", {"box": "box-3", "idempotency_key": "canary-key-of-tuesday"}),
                ("rent_pay", {"box": "box-3", "idempotency_key": "canary-key-of-tuesday"}),
                ("box_empty_plan", {"box": "box-4", "expected_version": "1"}),
                ("box_sell", {"box": "box-5"}),
                ("canary_tool", {}),
            )
        ]


_ENDED: list[tuple[str, str, str, str, str, str]] = [
    # tool, contract, outcome, code, decision, repeat
    ("item_put", "2.0", "done", "", "allow", ""),
    ("item_put", "2.0", "done", "", "allow", "replayed"),
    ("item_put", "2.0", "rejected", "idempotency_conflict", "allow", "idempotency_conflict"),
    ("item_put", "2.0", "invalid", "invalid_arguments", "", ""),
    ("item_put", "2.0", "rejected", "box_full", "allow", ""),
    ("item_put", "2.0", "denied", "unknown_box", "deny", ""),
    ("item_get", "1.0", "failed", "internal", "allow", ""),
    ("rent_pay", "1.1", "unknown", "outcome_unknown", "allow", ""),
    ("rent_pay", "1.1", "unknown", "outcome_unknown", "allow", "outcome_unknown"),
    ("box_empty_plan", "1.0", "done", "", "allow", ""),
    ("_other", "", "refused", "unknown_tool", "deny", ""),
    ("_other", "", "refused", "unknown_tool", "", ""),
]


def _expected(ended: tuple[str, str, str, str, str, str]) -> dict[str, Any]:
    tool, version, outcome, code, decision, repeat = ended
    error = "" if outcome == "done" else "-32602" if outcome == "refused" else "tool_error"
    said = {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "network.transport": "tcp",
        "network.protocol.name": "http",
        "error.type": error,
        "rpc.response.status_code": error if outcome == "refused" else "",
        "fourfold.contract.version": version,
        "fourfold.outcome": outcome,
        "fourfold.code": code,
        "fourfold.decision": decision,
        "fourfold.repeat": repeat,
    }
    return {**{name: value for name, value in said.items() if value}, "fourfold.replayed": repeat == "replayed"}


def _lasting(span: SeenSpan) -> dict[str, Any]:
    return {name: value for name, value in span.attributes.items() if name not in _VOLATILE}


def _calls(collector: Collector) -> list[SeenSpan]:
    return [span for span in collector.spans() if span.name.startswith("tools/call")]


async def test_every_ending_is_on_the_span_and_nothing_of_what_was_sent_is(collector: Collector) -> None:
    """B16: versions and decisions; of arguments, results, keys, tokens, people, exceptions and reasons not one byte."""
    with ExitStack() as stack:
        server = _strongbox(stack)
        answers = await _every_ending(server.url)
        code, printed = server.end(signal.SIGTERM)

    spans = _calls(collector)
    assert [_lasting(span) for span in spans] == [_expected(each) for each in _ENDED]
    assert [span.name for span in spans] == [f"tools/call {each[0]}" for each in _ENDED]
    assert {(span.kind, span.scope, span.events) for span in spans} == {("SPAN_KIND_SERVER", "mcp-python-sdk", ())}
    assert [span.message for span in spans] == [*[""] * 10, "Unknown tool", "Unknown tool"]
    assert b"canary" not in collector.raw
    assert code == 0
    assert "canary" not in printed
    # What leads from here to the records is there.
    done, replayed, told = spans[0].attributes, spans[1].attributes, answers[0].result["_meta"]
    assert done["fourfold.run.id"] == told["fourfold/run"]
    assert done["fourfold.operation.id"] == replayed["fourfold.operation.id"] == told["fourfold/operation"]
    run = json.loads(fourfold("runs", "show", done["fourfold.run.id"], "--json").out)["run"]
    assert (run["trace_id"], run["span_id"]) == (spans[0].trace_id, spans[0].span_id)


async def test_what_is_counted_and_measured(collector: Collector) -> None:
    """B16: every metric of the table with exactly these attributes; what waits for a person is told by itself."""
    with ExitStack() as stack:
        server = _strongbox(stack)
        await _every_ending(server.url)
        collector.wait(lambda seen: [point for point in seen.points("fourfold.claims.unknown") if point.value == 1])
        server.end(signal.SIGTERM)

    kinds = {"histogram": "histogram", "counter": "sum", "observable gauge": "gauge"}
    assert collector.metrics() == {metric.name: (kinds[metric.kind], metric.unit) for metric in METRICS}
    names = ("gen_ai.tool.name", "fourfold.contract.version", "fourfold.outcome", "fourfold.code", "fourfold.decision")
    counted = [tuple(point.attributes.get(name, "") for name in names) for point in collector.points("fourfold.calls")]
    # A replay is a success once more, and the repeat of an unknown call is unknown.
    assert sorted(counted) == sorted({each[:5] for each in _ENDED})
    assert sum(point.value for point in collector.points("fourfold.calls")) == len(_ENDED)
    assert collector.points("fourfold.repeats") == [
        Point(attributes={"fourfold.repeat": "idempotency_conflict", "gen_ai.tool.name": "item_put"}, value=1),
        Point(attributes={"fourfold.repeat": "outcome_unknown", "gen_ai.tool.name": "rent_pay"}, value=1),
        Point(attributes={"fourfold.repeat": "replayed", "gen_ai.tool.name": "item_put"}, value=1),
    ]
    assert collector.points("fourfold.claims.unknown") == [Point(attributes={}, value=1)]
    assert collector.points("fourfold.approvals.waiting") == [Point(attributes={}, value=1)]
    works = {point.attributes["fourfold.store.work"] for point in collector.points("fourfold.store.duration")}
    assert works == {"read", "write", "commit"}
    assert b"canary" not in collector.raw


async def test_how_long_requests_took_is_told_as_the_conventions_say(collector: Collector) -> None:
    """B16: name, unit, bounds and attributes of `mcp.server.operation.duration`."""
    with ExitStack() as stack:
        server = _strongbox(stack)
        await _every_ending(server.url)
        server.end(signal.SIGTERM)

    points = collector.points("mcp.server.operation.duration")
    assert {point.bounds for point in points} == {(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)}
    common = {"mcp.protocol.version": "2026-07-28", "network.transport": "tcp", "network.protocol.name": "http"}
    call = {**common, "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool"}
    refused = {"gen_ai.tool.name": "_other", "error.type": "-32602", "rpc.response.status_code": "-32602"}
    expected = [
        ({**call, "gen_ai.tool.name": "box_empty_plan"}, 1),
        ({**call, "gen_ai.tool.name": "item_get", "error.type": "tool_error"}, 1),
        ({**call, "gen_ai.tool.name": "item_put"}, 2),
        ({**call, "gen_ai.tool.name": "item_put", "error.type": "tool_error"}, 4),
        ({**call, "gen_ai.tool.name": "rent_pay", "error.type": "tool_error"}, 2),
        ({**call, **refused}, 2),
    ]
    found = [(point.attributes, point.value) for point in points if point.attributes["mcp.method.name"] == "tools/call"]
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert {**common, "mcp.method.name": "tools/list"} in [point.attributes for point in points]


async def test_what_is_sent_is_what_the_page_says(collector: Collector) -> None:
    """B16: no attribute that the tables lack, none in them that is never sent."""
    with ExitStack() as stack:
        server = _strongbox(stack)
        await _every_ending(server.url)
        server.end(signal.SIGTERM)

    assert {name for span in _calls(collector) for name in span.attributes} == {each.name for each, _ in SPAN}
    for metric in METRICS:
        sent = {name for point in collector.points(metric.name) for name in point.attributes}
        known = {each.name for each in metric.attributes}
        assert sent == known - ({"error.type"} if metric.name == "fourfold.store.duration" else set())
    assert collector.resource.items() >= {"service.name": "strongbox", "service.version": "3.1"}.items()


def test_the_parent_is_what_the_request_names_and_what_it_came_in_is_linked(collector: Collector) -> None:
    """B16: `_meta.traceparent` is the parent, the HTTP request's a link; alone it is the parent; else a new trace."""
    call = {"name": "item_get", "arguments": {"box": "box-1"}}
    with ExitStack() as stack:
        server = _strongbox(stack)
        client = stack.enter_context(httpx2.Client(headers={"authorization": f"Bearer {_CANARY_TOKEN}"}))
        for meta, header in ((_PARENT, _AROUND), (_PARENT, None), (None, _AROUND), (None, None), ("00-bad", "00-bad")):
            body = modern("tools/call", call, meta={"traceparent": meta} if meta else {})
            headers = {**headers_of(body), **({"traceparent": header} if header else {})}
            client.post(server.url, json=body, headers=headers).raise_for_status()
        server.end(signal.SIGTERM)

    both, named, around, none, malformed = _calls(collector)
    assert (both.trace_id, both.parent) == ("1" * 32, "2" * 16)
    assert both.links == (("3" * 32, "4" * 16),)
    assert (named.trace_id, named.parent, named.links) == ("1" * 32, "2" * 16, ())
    assert (around.trace_id, around.parent, around.links) == ("3" * 32, "4" * 16, ())
    assert [(span.parent, span.links) for span in (none, malformed)] == [("", ()), ("", ())]
    runs = [json.loads(line) for line in fourfold("runs", "export").out.splitlines()]
    assert [run["trace_id"] for run in runs] == [span.trace_id for span in (both, named, around, none, malformed)]


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("canary/method", {}, "_other"),
        ("canary/method", {"name": "canary_name"}, "_other"),
        ("prompts/get", {"name": "canary_prompt"}, "prompts/get"),
        ("tools/list", {"name": "canary_name"}, "tools/list"),
        ("tools/call", {"name": "canary_tool", "arguments": 5}, "tools/call _other"),
        ("tools/call", {"name": "item_get", "arguments": 5}, "tools/call item_get"),
    ],
)
def test_a_name_that_a_caller_made_up_names_no_span(
    collector: Collector, method: str, params: dict[str, Any], name: str
) -> None:
    """B16: not even where the SDK refuses the request before a handler sees it."""
    with ExitStack() as stack:
        server = _strongbox(stack)
        body = modern(method, params, number="n" * 100)
        headers = {**headers_of(body), "authorization": f"Bearer {_CANARY_TOKEN}"}
        httpx2.post(server.url, json=body, headers=headers)
        server.end(signal.SIGTERM)

    (span,) = collector.spans()
    assert (span.name, span.attributes["jsonrpc.request.id"]) == (name, "n" * 64)
    assert b"canary" not in collector.raw


async def test_the_billing_server_over_stdio(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """B16: the example as it is served to one client; a success, a replay, an invalid and a rejected call."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    command = [FOURFOLD, "serve", "billing:catalog", "--store", "sqlite:///books.db"]
    quote = {**order(), "idempotency_key": "canary-key-of-monday"}
    asked = [quote, quote, {**quote, "currency": "canary"}, order(account=MADE_UP_ACCOUNT)]
    async with connect(command) as target:
        for arguments in asked:
            await target.raw_call("quote_create", arguments)

    collector.wait(lambda seen: len(_calls(seen)) == len(asked))
    spans = _calls(collector)
    names = ("gen_ai.tool.name", "fourfold.contract.version", "fourfold.outcome", "fourfold.code", "fourfold.replayed")
    assert [tuple(span.attributes.get(name, "") for name in names) for span in spans] == [
        ("quote_create", "1.0", "done", "", False),
        ("quote_create", "1.0", "done", "", True),
        ("quote_create", "1.0", "invalid", "invalid_arguments", False),
        ("quote_create", "1.0", "rejected", "unknown_account", False),
    ]
    assert {span.attributes["network.transport"] for span in spans} == {"pipe"}
    assert "network.protocol.name" not in spans[0].attributes
    assert collector.resource["service.name"] == "billing"
    assert b"canary" not in collector.raw


@pytest.mark.parametrize("trouble", ["holds every answer", "is not there", "is somebody else's"])
async def test_a_collector_in_trouble_costs_no_call_anything(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    """B16: calls are answered while it is silent, and the process ends without it."""
    collector.held.clear()
    if trouble == "is not there":
        with socket.create_server(("127.0.0.1", 0)) as taken:
            monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{taken.getsockname()[1]}")
    if trouble == "is somebody else's":
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "this is no address")
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "8")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4")
    with ExitStack() as stack:
        server = _strongbox(stack)
        async with connect(server.url, token=_CANARY_TOKEN) as target:
            for number in range(40):
                answer = await target.raw_call("item_put", {**_BOX, "idempotency_key": f"canary-key-{number:016}"})
                assert not answer.result["isError"]
        if trouble == "holds every answer":
            assert collector.wait(lambda seen: seen.bodies)
        code, printed = server.end(signal.SIGTERM)
        assert not collector.held.is_set()

    assert code == 0
    assert "Traceback" not in printed
    assert "canary" not in printed


def test_without_the_extra_the_server_says_so_and_serves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """B16: a variable that stands there for all programs of a machine is no reason not to serve."""
    blocker = tmp_path / "without"
    blocker.mkdir()
    (blocker / "sitecustomize.py").write_text("import sys\nsys.modules['opentelemetry.sdk'] = None\n", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(blocker))
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    done = fourfold("serve", "shop:catalog")

    assert done.code == 0
    first, second = done.err.splitlines()[:2]
    assert first.startswith(
        "telemetry: the OTEL_* variables ask for traces and metrics, which need what is not installed"
    )
    assert first.endswith("pip install fourfold[telemetry]; serving without them")
    assert second.startswith("serving shop over stdio as clerk")


def test_without_the_variables_nothing_is_loaded_or_sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """B16, A3: the same server, and OpenTelemetry's SDK is not even imported."""
    script = tmp_path / "served.py"
    script.write_text(
        "import sys\n"
        "from fourfold.cli.main import main\n"
        "try:\n    main(['serve', 'shop:catalog'])\n"
        "finally:\n    print(sorted(name for name in sys.modules if 'opentelemetry.sdk' in name), file=sys.stderr)\n",
        "utf-8",
    )
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    done = subprocess.run(
        [sys.executable, script], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )

    assert done.stderr.splitlines() == ["serving shop over stdio as clerk (store sqlite:///.fourfold/shop.db)", "[]"]
