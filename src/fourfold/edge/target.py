"""A client for live servers, in any language: a URL, or a command that is started and spoken to over its pipes.

It speaks whatever era the server speaks. It reads and calls; it judges nothing.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar, cast

import anyio
import httpx2
import mcp_types as types
from mcp import MCPError
from mcp.client import Client, ClientSession
from mcp.client.session import ClientRequestContext
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ElicitResult, InputRequiredResult, TextContent

from fourfold.edge.translate import answer
from fourfold.errors import NoAnswer, TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.model.outcome import Outcome
from fourfold.ports.target import Answering

__all__ = ["LiveTarget", "TargetAnswer", "connect", "over", "wire_answer"]

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


@dataclass(slots=True)
class _Refusal:
    """The status of the last HTTP answer that was an error, which the SDK's client does not pass on; 0 for none."""

    status: int = 0

    async def note(self, response: httpx2.Response) -> None:
        """Look at every answer as it arrives."""
        self.status = response.status_code if response.status_code >= 400 else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveTarget:
    """A connected server.

    Attributes:
        name: the target as the user wrote it.
        revision: the protocol revision that was agreed on.
        server: what the server calls itself; empty if it doesn't say.
        instructions: what it tells a model about its tools.
    """

    name: str
    revision: str
    timeout_s: float
    server: str = ""
    instructions: str = ""
    _client: Client
    _refusal: _Refusal = field(default_factory=_Refusal)

    async def tools(self) -> Sequence[JsonObject]:
        """Every tool, as the server lists it.

        Raises:
            TargetError: the server failed, or its list does not end.
        """
        found: list[JsonObject] = []
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            # An earlier list may still be good, as the server said; what it lists now is looked at.
            page = await self._bounded(self._client.list_tools(cursor=cursor, cache_mode="refresh"))
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

    async def raw_call(self, tool: str, arguments: JsonObject, *, answering: Answering | None = None) -> ToolAnswer:
        """Call one tool and take the answer as it comes, whether or not it fits the tool's output schema.

        Args:
            tool: its name.
            arguments: sent as they are.
            answering: makes the call that of a client that can show forms and pages, with what it answers.

        Raises:
            NoAnswer: the server ended, did not answer in time, or sent what is no result of a call.
            TargetError: it never took the call, as with a token that it does not know.
        """
        session = self._client.session if answering is None else _able_to_ask(self._client.session)
        request = types.CallToolRequest(params=_params(tool, arguments, answering=answering))
        try:
            with anyio.fail_after(self.timeout_s):
                result = _call_result(await session.send_request(request, _AnyResult))
        except MCPError as error:
            if error.message in _STAND_INS and self._refusal.status in _REFUSED_WHOLE:
                return ToolAnswer(result={}, arguments=arguments, refusal=f"HTTP {self._refusal.status}")
            if error.code in _NO_ANSWER or error.message in _STAND_INS:
                raise _explained(error, self.name, status=self._refusal.status) from error
            return ToolAnswer(result={}, arguments=arguments, refusal=error.message, refusal_code=error.code)
        except _FAILURES as error:
            raise _explained(error, self.name, status=self._refusal.status) from error
        return ToolAnswer(result=result.model_dump(mode="json", by_alias=True, exclude_none=True), arguments=arguments)

    async def _bounded(self, work: Awaitable[_R]) -> _R:
        try:
            with anyio.fail_after(self.timeout_s):
                return await work
        except _FAILURES as error:
            raise _explained(error, self.name, status=self._refusal.status) from error


class _AnyResult(types.Result):
    """A result as it came, before it is known of which kind it is."""

    model_config = {"extra": "allow"}  # noqa: RUF012  # the SDK's models are configured like this


def _call_result(found: _AnyResult) -> CallToolResult | InputRequiredResult:
    """What a call may be answered with.

    Raises:
        ValueError: it is neither.
    """
    raw = found.model_dump(mode="json", by_alias=True)
    kind = InputRequiredResult if raw.get("resultType") == "input_required" else CallToolResult
    return kind.model_validate(raw, by_name=False)


def _params(tool: str, arguments: JsonObject, *, answering: Answering | None) -> types.CallToolRequestParams:
    params = types.CallToolRequestParams(name=tool, arguments=dict(arguments))
    if answering is None:
        return params
    said = {
        key: ElicitResult(action=each.action, content=dict(each.content) if each.action == "accept" else None)
        for key, each in answering.responses.items()
    }
    return params.model_copy(update={"request_state": answering.state, "input_responses": said or None})


def _able_to_ask(session: ClientSession) -> ClientSession:
    """The same connection as a client that can be asked; of an older revision, the connection as it is.

    A session says with every request what it can do, and says it as it was made. So this one is made over the
    connection of the other, which goes on to read it.
    """
    found = session.discover_result
    if found is None:
        return session
    able = ClientSession(dispatcher=session._dispatcher, elicitation_callback=_nobody)  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001  # one connection, two sessions
    able.adopt(found)
    return able


async def _nobody(context: ClientRequestContext, params: types.ElicitRequestParams) -> ElicitResult:  # noqa: ARG001
    """What a server that sends a request of its own is told: nobody is there."""
    return ElicitResult(action="cancel")


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
    connected, refusal = False, _Refusal()
    try:
        async with (
            _http(token, timeout_s, refusal=refusal) as http,
            _client(target, http, timeout_s=timeout_s) as client,
        ):
            connected = True
            yield LiveTarget(
                name=name,
                revision=client.protocol_version,
                timeout_s=timeout_s,
                server=client.server_info.name if client.server_info else "",
                instructions=client.instructions or "",
                _client=client,
                _refusal=refusal,
            )
    except (*_FAILURES, BaseExceptionGroup) as error:
        cause = _innermost(error)
        if connected and not isinstance(cause, _FAILURES):
            raise cause from None  # the user's own, which the client's task groups had wrapped
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError from None  # Ctrl-C, say: the failure is what it left behind
        raise _explained(cause, name, status=refusal.status) from error


def over(client: Client, *, timeout_s: float = 30.0) -> LiveTarget:
    """A server to which the official SDK's client is connected already; whoever opened that closes it.

    Args:
        client: inside its `async with`.
        timeout_s: seconds that each request may take.
    """
    name = client.server_info.name if client.server_info else ""
    return LiveTarget(
        name=name or "the server",
        revision=client.protocol_version,
        timeout_s=timeout_s,
        server=name,
        instructions=client.instructions or "",
        _client=client,
    )


def _http(token: str | None, timeout_s: float, *, refusal: _Refusal) -> httpx2.AsyncClient:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    return httpx2.AsyncClient(headers=headers, timeout=timeout_s, event_hooks={"response": [refusal.note]})


def _client(target: str | Sequence[str], http: httpx2.AsyncClient, *, timeout_s: float) -> Client:
    if isinstance(target, str):
        return Client(streamable_http_client(target, http_client=http), read_timeout_seconds=timeout_s)
    command, *arguments = target
    parameters = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    return Client(stdio_client(parameters, errlog=sys.stderr), read_timeout_seconds=timeout_s)


def wire_answer(outcome: Outcome) -> TargetAnswer:
    """What a client that cannot be asked would be answered with for `outcome`.

    Raises:
        TargetError: the outcome is a protocol error.
    """
    try:
        result = answer(outcome)
    except MCPError as error:
        raise _explained(error, "the server", status=0) from None
    if not isinstance(result, CallToolResult):
        raise TypeError("an answer to a client that cannot be asked is a result")
    return _answer(result)


def _answer(result: CallToolResult) -> TargetAnswer:
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    return TargetAnswer(
        text="\n".join(texts),
        structured=result.structured_content,
        is_error=result.is_error,
        meta=result.meta or {},
    )


_NO_ANSWER = (types.REQUEST_TIMEOUT, types.CONNECTION_CLOSED)
"""Codes that the client makes up when there is no answer."""

_FAILURES = (MCPError, OSError, TimeoutError, RuntimeError, ValueError, httpx2.HTTPError, httpx2.InvalidURL)
"""What the client raises for a server that fails; each may come wrapped in groups."""


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


_NOT_SENT = (
    FileNotFoundError,
    PermissionError,
    httpx2.ConnectError,
    httpx2.InvalidURL,
    httpx2.UnsupportedProtocol,
)
"""What is raised before a byte has left."""

_REFUSED = {
    401: "asks for a bearer token, or does not know the one it got (HTTP 401); check FOURFOLD_TOKEN",
    403: "refused this caller (HTTP 403); check its scopes",
    404: "has no MCP endpoint at this path (HTTP 404); check the path, which is often /mcp",
    405: "takes no MCP requests at this path (HTTP 405); check the path, which is often /mcp",
    421: "does not serve this host name (HTTP 421); check the name, or the server's public hosts",
}
"""What an HTTP status means where the client has only a stand-in for an answer."""

_REFUSED_WHOLE = (400, 413, 422)
"""HTTP statuses for a message that is too large, nested too deep, or otherwise no call."""

_STAND_INS = {"Server returned an error response", "Not Found"}


def _explained(cause: BaseException, name: str, *, status: int) -> TargetError:
    """What went wrong and what to check. `status` is that of the HTTP answer, if it was an error."""
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
        case MCPError(message=message) if message in _STAND_INS and status in _REFUSED:
            why = _REFUSED[status]
        case MCPError():
            why = f"answered with an error: {cause.message} ({cause.code})"
        case _:
            why = "was not understood: its answer breaks the protocol or its own output schema"
    return TargetError(f"{name} {why}") if _never_taken(cause, status) else NoAnswer(f"{name} {why}")


def _never_taken(cause: BaseException, status: int) -> bool:
    """Whether it is certain that the server did nothing for the request. A gateway's 5xx is not such a thing."""
    match cause:
        case MCPError(code=types.REQUEST_TIMEOUT | types.CONNECTION_CLOSED):
            return False
        case MCPError(message=message) if message in _STAND_INS:
            return 400 <= status < 500
        case MCPError(code=code):
            return code != types.INTERNAL_ERROR
        case _:
            return isinstance(cause, _NOT_SENT)
