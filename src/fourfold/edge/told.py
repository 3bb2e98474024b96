"""Tells telemetry of each request that a handler answers: how long it took, and how it ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from time import perf_counter
from typing import Any, TypeVar

from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp_types import INTERNAL_ERROR, CallToolRequestParams, CallToolResult
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from fourfold.edge.arrival import arrival_of
from fourfold.edge.tracing import parent_of
from fourfold.edge.translate import UnknownTool
from fourfold.model.call import Trace
from fourfold.model.conventions import OTHER
from fourfold.ports.telemetry import CANCELLED, EndedRequest, Telemetry

__all__ = ["told"]

_P = TypeVar("_P")
_R = TypeVar("_R")
_Context = ServerRequestContext[Any, Any]
_Handler = Callable[[_Context, _P], Awaitable[_R]]


def told(handler: _Handler[_P, _R], telemetry: Telemetry | None) -> _Handler[_P, _R]:
    """`handler`, with `telemetry` told of each request; the same handler where nobody listens."""
    if telemetry is None:
        return handler

    @wraps(handler)
    async def telling(context: _Context, params: _P) -> _R:
        started = perf_counter()
        error, tool = CANCELLED, params.name if isinstance(params, CallToolRequestParams) else ""
        try:
            result = await handler(context, params)
        except UnknownTool as refused:
            error, tool = str(refused.error.code), OTHER
            raise
        except MCPError as refused:
            error = str(refused.error.code)
            raise
        except Exception:
            # What it is made into outside. How far it came is not known, so neither is whether there is such a tool.
            error, tool = str(INTERNAL_ERROR), tool and OTHER
            raise
        else:
            error = "tool_error" if isinstance(result, CallToolResult) and result.is_error else ""
            return result
        finally:
            seconds = perf_counter() - started
            telemetry.request_ended(_ended(context, tool=tool, error=error, seconds=seconds))

    return telling


def _ended(context: _Context, *, tool: str, error: str, seconds: float) -> EndedRequest:
    return EndedRequest(
        method=context.method,
        tool=tool,
        revision=_revision(context),
        transport=arrival_of(context.request).transport,
        error=error,
        seconds=seconds,
        linked=_linked(context),
    )


def _revision(context: _Context) -> str:
    return context.protocol_version if context.protocol_version in KNOWN_PROTOCOL_VERSIONS else OTHER


def _linked(context: _Context) -> Trace | None:
    """The trace that the request came in, where the span does not hang on it because the request names another."""
    came_in = arrival_of(context.request).ambient
    return came_in if parent_of(context.meta or {}) not in (None, came_in) else None
