"""`Call`: one request to run one tool, as the edge hands it to the stages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fourfold.model.asking import InputResponse, QuestionMode
from fourfold.model.caller import Caller
from fourfold.model.contract import JsonObject
from fourfold.model.fault import Problem

__all__ = ["Call", "Trace", "Transport"]

Transport = Literal["stdio", "http", "memory"]
"""How the call arrived; `memory` is a call from Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """W3C trace context of the call, trace and span as lower-case hex.

    What the request names, which is untrusted; else the span that the server has open for it, if it has one.
    """

    trace_id: str
    span_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of one tool.

    Attributes:
        arguments: the arguments as parsed by the strict JSON reader; never mutated.
        wire_problems: what the strict reader found inside the arguments (a duplicate key, NaN, an unsafe
            integer …), pointers relative to the arguments. Such a call is `invalid_arguments`.
        meta_key: the idempotency key of `_meta["fourfold/idempotencyKey"]`, if one came there.
        revision: the protocol revision that the client speaks, or "" for a call from Python.
        client: name and version that the client claims; for people who read runs, never for decisions.
        state: the `requestState` of the round before, sealed and not yet opened.
        responses: what came back for the questions of that round, by their keys; unchecked.
        capabilities: how the client can be asked; `None` where its revision has no answer that asks.
    """

    tool: str
    arguments: JsonObject
    caller: Caller
    transport: Transport = "memory"
    revision: str = ""
    client: str = ""
    meta_key: str | None = None
    trace: Trace | None = None
    wire_problems: tuple[Problem, ...] = field(default=())
    state: str | None = None
    responses: Mapping[str, InputResponse] = field(default_factory=dict[str, InputResponse])
    capabilities: frozenset[QuestionMode] | None = frozenset({"form", "url"})
