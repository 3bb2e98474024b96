"""A client for live servers, in any language: a URL, or a command that is started and spoken to over its pipes.

It speaks whatever era the server speaks. It reads and calls; it judges nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

import anyio
import httpx2
import mcp_types as types
from mcp import MCPError
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject

__all__ = ["LiveTarget", "TargetAnswer", "connect"]

_MAX_PAGES = 100
"""Pages of `tools/list` that are read; a server that has more is not going to end."""

_R = TypeVar("_R")


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetAnswer:
    """What a tool of a live server answered.

    Attributes:
        text: its text blocks, one after the other.
        structured: its `structuredContent`, if there is any.
        meta: its `_meta`.
    """

    text: str
    structured: object
    is_error: bool
    meta: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveTarget:
    """A connected server.

    Attributes:
        name: the target as the user wrote it.
        revision: the protocol revision that was agreed on.
    """

    name: str
    revision: str
    timeout_s: float
    _client: Client

    async def tools(self) -> Sequence[JsonObject]:
        """Every tool, as the server lists it.

        Raises:
            TargetError: the server failed, or its list does not end.
        """
        found: list[JsonObject] = []
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            page = await self._bounded(self._client.list_tools(cursor=cursor))
            found += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return found
        raise TargetError(f"{self.name} lists tools without end: after {_MAX_PAGES} pages there are more")

    async def call(self, tool: str, arguments: JsonObject) -> TargetAnswer:
        """Call one tool. A tool error is an answer.

        Raises:
            TargetError: the server refused the call, failed, or sent what its own schema forbids.
        """
        return _answer(await self._bounded(self._client.call_tool(tool, dict(arguments))))

    async def _bounded(self, work: Awaitable[_R]) -> _R:
        try:
            with anyio.fail_after(self.timeout_s):
                return await work
        except _FAILURES as error:
            raise _explained(error, self.name) from error


@asynccontextmanager
async def connect(
    target: str | Sequence[str], *, token: str | None = None, timeout_s: float = 30.0
) -> AsyncGenerator[LiveTarget]:
    """Connect to a server and, if it was started for this, stop it at the end.

    Args:
        target: the endpoint's URL, or a command with its arguments. A command gets this process's environment,
            and its stderr is shown.
        token: bearer token for a URL.
        timeout_s: seconds that connecting and each request may take.

    Raises:
        TargetError: it could not be started, reached or understood; the message says what to check.
    """
    name = target if isinstance(target, str) else " ".join(target)
    connected = False
    try:
        async with _http(token, timeout_s) as http, _client(target, http, timeout_s=timeout_s) as client:
            connected = True
            yield LiveTarget(name=name, revision=client.protocol_version, timeout_s=timeout_s, _client=client)
    except (*_FAILURES, BaseExceptionGroup) as error:
        cause = _innermost(error)
        if connected and not isinstance(cause, _FAILURES):
            raise cause from None  # the user's own, which the client's task groups had wrapped
        raise _explained(cause, name) from error


def _http(token: str | None, timeout_s: float) -> httpx2.AsyncClient:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    return httpx2.AsyncClient(headers=headers, timeout=timeout_s)


def _client(target: str | Sequence[str], http: httpx2.AsyncClient, *, timeout_s: float) -> Client:
    if isinstance(target, str):
        return Client(streamable_http_client(target, http_client=http), read_timeout_seconds=timeout_s)
    command, *arguments = target
    parameters = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    return Client(stdio_client(parameters, errlog=sys.stderr), read_timeout_seconds=timeout_s)


def _answer(result: CallToolResult) -> TargetAnswer:
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    return TargetAnswer(
        text="\n".join(texts),
        structured=result.structured_content,
        is_error=result.is_error,
        meta=result.meta or {},
    )


_FAILURES = (MCPError, OSError, TimeoutError, RuntimeError, ValueError, httpx2.HTTPError, httpx2.InvalidURL)
"""What the client raises for a server that fails; each may come wrapped in groups."""


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def _explained(cause: BaseException, name: str) -> TargetError:
    """What went wrong and what to check."""
    match cause:
        case TargetError():
            return cause
        case TimeoutError() | MCPError(code=types.REQUEST_TIMEOUT):
            why = "did not answer in time; check that it is an MCP server and not busy, or allow more time"
        case httpx2.InvalidURL() | httpx2.UnsupportedProtocol():
            why = "is not a URL that can be called; it starts with http:// or https://"
        case httpx2.HTTPError():
            why = "could not be reached; check the address and that the server runs"
        case OSError():
            why = f"could not be started: {cause.strerror or 'unknown reason'}; check the command"
        case MCPError(code=types.CONNECTION_CLOSED):
            why = "ended the connection before it answered; check its own output above"
        case MCPError():
            why = f"answered with an error: {cause.message} ({cause.code})"
        case _:
            why = "was not understood: its answer breaks the protocol or its own output schema"
    return TargetError(f"{name} {why}")
