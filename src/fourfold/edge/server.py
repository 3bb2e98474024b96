"""The SDK's low-level `Server` over a `Service`: two handlers, and nothing that raises into the SDK.

What the SDK does with an exception differs by era, and one of them sends its text to the client. So every
handler here answers with a result or an `MCPError`.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import wraps
from secrets import token_hex
from typing import Any, Protocol, TypeVar

from mcp import MCPError
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ElicitResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from fourfold.contracts.strict_json import well_formed
from fourfold.edge.arrival import arrival_of
from fourfold.edge.headers import Tools
from fourfold.edge.told import told
from fourfold.edge.tracing import current_trace, parent_of
from fourfold.edge.translate import answer, listed_tool
from fourfold.errors import SealError
from fourfold.model.asking import InputResponse, QuestionMode
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.contract import JsonObject
from fourfold.model.fault import Problem
from fourfold.model.outcome import Outcome
from fourfold.ports.telemetry import Telemetry
from fourfold.stages.listing import Listing

__all__ = ["IDEMPOTENCY_KEY", "LowLevelServer", "ToolService", "build_server"]

_log = logging.getLogger("fourfold.edge")

IDEMPOTENCY_KEY = "fourfold/idempotencyKey"
"""The `_meta` entry that a client may put an idempotency key in, instead of the arguments."""

_LISTING_TTL_MS = 60_000
_DISCOVERY_TTL_MS = 300_000

Context = ServerRequestContext[Any, Any]
LowLevelServer = Server[Any]
"""The SDK's server; what its lifespan yields is nobody's business here."""

_P = TypeVar("_P")
_R = TypeVar("_R")


class ToolService(Tools, Protocol):
    """What a server is built over; `stages.service.Service` is one."""

    @property
    def name(self) -> str:
        """The server's name."""
        ...

    @property
    def version(self) -> str:
        """The server's version."""
        ...

    @property
    def instructions(self) -> str:
        """What a model should know before it sees the tools; may be empty."""
        ...

    @property
    def telemetry(self) -> Telemetry | None:
        """Who is told how requests went, if anybody listens."""
        ...

    async def call(self, call: Call) -> Outcome:
        """Run one call."""
        ...

    def list_tools(self, caller: Caller, cursor: str | None) -> Listing:
        """One page of the tools that this caller may see.

        Raises:
            SealError: the cursor is not valid here.
        """
        ...


def build_server(service: ToolService) -> LowLevelServer:
    """The protocol server of `service`. It serves tools and advertises nothing else."""
    handlers, telemetry = _Handlers(service), service.telemetry
    return Server(
        service.name,
        version=service.version,
        instructions=service.instructions or None,
        cache_hints={"server/discover": CacheHint(ttl_ms=_DISCOVERY_TTL_MS, scope="public")},
        on_list_tools=_contained(told(handlers.list_tools, telemetry)),
        on_call_tool=_contained(told(handlers.call_tool, telemetry)),
        get_tool_input_schema=_no_schema,
    )


def _no_schema(_name: str) -> None:
    """Nothing for the SDK to compare headers with: the gate did, per caller. Unset, it would list all tools first."""


def _contained(handler: Callable[[Context, _P], Awaitable[_R]]) -> Callable[[Context, _P], Awaitable[_R]]:
    """`handler`, answering a generic error with a reference for whatever it raises unplanned."""

    @wraps(handler)
    async def contained(context: Context, params: _P) -> _R:
        try:
            return await handler(context, params)
        except MCPError:
            raise
        except Exception:  # its text would reach the client, the log and the trace
            reference = token_hex(8)
            _log.error("%s failed, reference %s", context.method, reference)
            _log.debug("reference %s", reference, exc_info=True)
            raise MCPError(INTERNAL_ERROR, "Internal error", {"reference": reference}) from None

    return contained


class _Handlers:
    """The two methods that a tools server serves."""

    def __init__(self, service: ToolService) -> None:
        self._service = service

    async def list_tools(self, context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        """One page of `tools/list`. A shared cache may keep it only if it is the same for everybody."""
        cursor = None if params is None else params.cursor
        try:
            listing = self._service.list_tools(arrival_of(context.request).caller, cursor)
        except SealError:
            raise MCPError(INVALID_PARAMS, "Invalid cursor") from None
        return ListToolsResult(
            tools=[listed_tool(contract) for contract in listing.tools],
            next_cursor=listing.next_cursor,
            ttl_ms=_LISTING_TTL_MS,
            cache_scope="private" if listing.private else "public",
        )

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        """One `tools/call`."""
        return answer(await self._service.call(_domain_call(context, params)))


def _domain_call(context: Context, params: CallToolRequestParams) -> Call:
    arrival = arrival_of(context.request)
    meta: JsonObject = context.meta or {}
    key = meta.get(IDEMPOTENCY_KEY)
    # An unusable key is a problem and not ignored: the caller believes that the call is protected.
    usable = key is None or isinstance(key, str)
    return Call(
        tool=params.name,
        arguments=params.arguments or {},
        caller=arrival.caller,
        transport=arrival.transport,
        revision=context.protocol_version,
        client=_client(context),
        meta_key=key if usable else None,
        trace=parent_of(meta) or current_trace(),
        wire_problems=arrival.problems if usable else (*arrival.problems, _KEY_PROBLEM),
        state=params.request_state,
        responses=_responses(params),
        capabilities=_capabilities(context),
    )


_KEY_PROBLEM = Problem(
    pointer="/idempotency_key",
    code="wrong_type",
    expected=f'a string in _meta["{IDEMPOTENCY_KEY}"]',
)


def _client(context: Context) -> str:
    """What the client says it is, shortened; "" when it says nothing."""
    params = context.session.client_params
    if params is None:
        return ""
    return well_formed(f"{params.client_info.name} {params.client_info.version}")[:120]


def _responses(params: CallToolRequestParams) -> dict[str, InputResponse]:
    """What came back for questions to a person. Answers of the client's model or its roots were never asked for."""
    given = params.input_responses or {}
    return {
        key: InputResponse(action=result.action, content=dict(result.content or {}))
        for key, result in given.items()
        if isinstance(result, ElicitResult)
    }


def _capabilities(context: Context) -> frozenset[QuestionMode] | None:
    """How the client can be asked. `elicitation: {}` means forms; naming only `url` does not."""
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return None
    capabilities = context.session.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    if elicitation is None:
        return frozenset()
    modes: dict[QuestionMode, bool] = {
        "form": elicitation.form is not None or elicitation.url is None,
        "url": elicitation.url is not None,
    }
    return frozenset(mode for mode, declared in modes.items() if declared)
