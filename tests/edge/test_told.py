"""What telemetry is told of each request: how it ended, in which trace it came in, and no name that was made up."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from fourfold.edge.asgi import build_app
from fourfold.edge.settings import HttpSettings
from fourfold.model.call import Trace
from fourfold.ports.telemetry import EndedRequest
from tests.edge.edge_service import ANNA, EdgeService, SoleCaller
from tests.edge.test_gate import Exchange, in_flight
from tests.edge.wire import ACCEPT, headers_of, modern, post, request
from tests.stages.listening import Heard

pytestmark = pytest.mark.anyio

_PARENT = "00-11111111111111111111111111111111-2222222222222222-01"
_AROUND = "00-33333333333333333333333333333333-4444444444444444-01"


async def _told(*exchanges: tuple[dict[str, Any], dict[str, str]]) -> list[EndedRequest]:
    """What was told of these requests and their headers."""
    heard = Heard()
    app = build_app(EdgeService(telemetry=heard), SoleCaller(ANNA))
    transport = httpx2.ASGITransport(app)
    async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for body, headers in exchanges:
            await post(client, body, headers)
    return heard.requests


def _called(tool: str, **meta: Any) -> tuple[dict[str, Any], dict[str, str]]:
    body = modern("tools/call", {"name": tool}, meta=meta)
    return body, headers_of(body)


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("echo", ("echo", "")),
        ("rejected", ("rejected", "tool_error")),
        ("unknown_outcome", ("unknown_outcome", "tool_error")),
        ("ask", ("ask", "-32021")),
        ("crash", ("_other", "-32603")),
        ("made_up", ("_other", "-32602")),
        ("admin_only", ("_other", "-32602")),
    ],
)
async def test_a_call_is_told_with_how_it_ended(tool: str, told: tuple[str, str]) -> None:
    """B16, B6: a tool error and a protocol error are two things; what is no tool of this caller's has no name."""
    (request_,) = await _told(_called(tool))

    assert (request_.tool, request_.error) == told
    assert (request_.method, request_.revision, request_.transport) == ("tools/call", "2026-07-28", "http")
    assert request_.seconds > 0


async def test_a_list_is_told_with_its_error() -> None:
    """B16: it names no tool."""
    good, bad = modern("tools/list"), modern("tools/list", {"cursor": "foreign"})
    told = await _told((good, headers_of(good)), (bad, headers_of(bad)))

    assert [(each.method, each.tool, each.error) for each in told] == [
        ("tools/list", "", ""),
        ("tools/list", "", "-32602"),
    ]


async def test_a_legacy_call_is_told_with_its_revision() -> None:
    """B16, B9: each era by its own name."""
    (told,) = await _told((request("tools/call", {"name": "echo"}), {**ACCEPT, "mcp-protocol-version": "2025-06-18"}))

    assert (told.tool, told.revision) == ("echo", "2025-06-18")


async def test_a_client_that_leaves_is_told_of() -> None:
    """B16: as cancelled, with the tool that ran."""
    heard = Heard()
    service = EdgeService(telemetry=heard)
    body, headers = _called("slow_report")
    exchange = Exchange(body, headers)
    async with in_flight(service, exchange, HttpSettings()) as returned:
        exchange.left.set()
        await returned.wait()

    assert [(each.tool, each.error) for each in heard.requests] == [("slow_report", "cancelled")]


@pytest.mark.parametrize(
    ("meta", "header", "linked"),
    [
        (_PARENT, _AROUND, Trace(trace_id="3" * 32, span_id="4" * 16)),
        (_PARENT, _PARENT, None),
        (_PARENT, None, None),
        (None, _AROUND, None),
        (_PARENT, "00-bad", None),
    ],
)
async def test_what_a_request_came_in_is_linked_if_it_names_another_trace(
    meta: str | None, header: str | None, linked: Trace | None
) -> None:
    """B16: otherwise it is the parent, or there is none."""
    body, headers = _called("echo", **({"traceparent": meta} if meta else {}))
    (told,) = await _told((body, {**headers, **({"traceparent": header} if header else {})}))

    assert told.linked == linked
