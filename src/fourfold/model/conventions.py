"""The names that telemetry uses, with what each says; docs/telemetry.md is generated from them.

Those without `fourfold.` are of OpenTelemetry's conventions for MCP and GenAI, which are in development
(open-telemetry/semantic-conventions-genai 0.1). The constants in Python are deprecated since they moved to there.
Owns names only; what is measured is decided where it is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "CALLS",
    "CODE",
    "DECISION",
    "DURATION",
    "ERROR",
    "METHOD",
    "METHODS",
    "METRICS",
    "OPERATION_ID",
    "OPERATION_NAME",
    "OTHER",
    "OUTCOME",
    "PROMPT",
    "PROTOCOL",
    "REPEAT",
    "REPEATS",
    "REPLAYED",
    "REQUEST_ID",
    "REVISION",
    "RUN_ID",
    "SPAN",
    "STATUS",
    "STORE_DURATION",
    "STORE_ERROR",
    "TOOL",
    "TRANSPORT",
    "UNKNOWN_CLAIMS",
    "VERSION",
    "WAITING_APPROVALS",
    "WORK",
    "Attribute",
    "Metric",
    "Origin",
]

OTHER = "_other"
"""Stands for every name that a caller made up: it could mint as many as it likes."""

METHODS = frozenset({
    "completion/complete", "initialize", "logging/setLevel", "notifications/cancelled", "notifications/initialized",
    "notifications/progress", "notifications/roots/list_changed", "ping", "prompts/get", "prompts/list",
    "resources/list", "resources/read", "resources/subscribe", "resources/templates/list", "resources/unsubscribe",
    "server/discover", "subscriptions/listen", "tools/call", "tools/list",
})  # fmt: skip
"""What a client of any revision may send; every other method is made up."""

Origin = Literal["SDK", "Fourfold"]
"""Who sets an attribute of the span: the MCP SDK that opens it, or we."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Metric:
    """One instrument. Its attributes take few values each, whatever callers send."""

    name: str
    kind: Literal["histogram", "counter", "observable gauge"]
    unit: str
    says: str
    attributes: tuple[Attribute, ...] = ()
    bounds: tuple[float, ...] = ()


METHOD = Attribute("mcp.method.name", f"method of the request; `{OTHER}` for one that no revision has")
REVISION = Attribute("mcp.protocol.version", "protocol revision that the client speaks")
REQUEST_ID = Attribute("jsonrpc.request.id", "id of the request, as the client numbered it, at most 64 characters")
OPERATION_NAME = Attribute("gen_ai.operation.name", "`execute_tool`, for `tools/call`")
PROMPT = Attribute("gen_ai.prompt.name", f"`{OTHER}`: there are no prompts here")
TOOL = Attribute("gen_ai.tool.name", f"name of the tool; `{OTHER}` for one that this caller has not")
ERROR = Attribute("error.type", "`tool_error`, the JSON-RPC code, or `cancelled`; not there on success")
STATUS = Attribute("rpc.response.status_code", "the JSON-RPC code of a protocol error")
TRANSPORT = Attribute("network.transport", "`tcp` for HTTP, `pipe` for stdio")
PROTOCOL = Attribute("network.protocol.name", "`http`; not there for stdio")
VERSION = Attribute("fourfold.contract.version", "version of the tool's contract")
OUTCOME = Attribute(
    "fourfold.outcome",
    "`done`, `invalid`, `rejected`, `denied`, `refused`, `needs_input`, `failed`, `unknown` or `cancelled`",
)
CODE = Attribute("fourfold.code", "the fault's code; not there on success")
DECISION = Attribute(
    "fourfold.decision", "what the policy said last: `allow`, `deny` or `depends`; none was asked: not there"
)
REPLAYED = Attribute("fourfold.replayed", "whether an earlier outcome was answered and nothing ran")
REPEAT = Attribute(
    "fourfold.repeat",
    "what came of a call that repeats an operation: `replayed`, `run_again`, or the code that it was answered with",
)
OPERATION_ID = Attribute("fourfold.operation.id", "the operation of a write; `fourfold claims show` finds it")
RUN_ID = Attribute("fourfold.run.id", "the run record; `fourfold runs show` finds it")
WORK = Attribute("fourfold.store.work", "`read`, `write` or `commit`")
STORE_ERROR = Attribute("error.type", "the class of the store's error; not there on success")

SPAN: tuple[tuple[Attribute, Origin], ...] = (
    (METHOD, "SDK"),
    (REVISION, "SDK"),
    (REQUEST_ID, "SDK"),
    (OPERATION_NAME, "SDK"),
    (TOOL, "SDK"),
    (ERROR, "SDK"),
    (STATUS, "SDK"),
    (TRANSPORT, "Fourfold"),
    (PROTOCOL, "Fourfold"),
    (VERSION, "Fourfold"),
    (OUTCOME, "Fourfold"),
    (CODE, "Fourfold"),
    (DECISION, "Fourfold"),
    (REPLAYED, "Fourfold"),
    (REPEAT, "Fourfold"),
    (OPERATION_ID, "Fourfold"),
    (RUN_ID, "Fourfold"),
)
"""The attributes of the span of a request."""

DURATION = Metric(
    "mcp.server.operation.duration",
    "histogram",
    "s",
    "how long `tools/call` and `tools/list` took",
    (METHOD, OPERATION_NAME, TOOL, REVISION, TRANSPORT, PROTOCOL, ERROR, STATUS),
    (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300),
)
CALLS = Metric(
    "fourfold.calls", "counter", "{call}", "calls, by how they ended", (TOOL, VERSION, OUTCOME, CODE, DECISION)
)
REPEATS = Metric("fourfold.repeats", "counter", "{call}", "calls that repeat an operation", (TOOL, REPEAT))
STORE_DURATION = Metric(
    "fourfold.store.duration",
    "histogram",
    "s",
    "how long a read and a write took, with all waiting, and the commit alone, which writes may share",
    (WORK, STORE_ERROR),
    (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
UNKNOWN_CLAIMS = Metric(
    "fourfold.claims.unknown",
    "observable gauge",
    "{operation}",
    "operations of which nobody knows whether they happened; the whole store's, so replicas tell the same number",
)
WAITING_APPROVALS = Metric(
    "fourfold.approvals.waiting",
    "observable gauge",
    "{plan}",
    "plans that wait for a person and are not past their time; the whole store's",
)

METRICS: tuple[Metric, ...] = (DURATION, CALLS, REPEATS, STORE_DURATION, UNKNOWN_CLAIMS, WAITING_APPROVALS)
"""Every metric that is sent."""
