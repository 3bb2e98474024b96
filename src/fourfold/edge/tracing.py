"""The trace that a request belongs to: the one that it names itself, and the one that it came in.

The SDK opens a span around each message. Its parent is the request's own `traceparent`, else whatever is current, so
the gate makes the trace of the HTTP request current. All of it is untrusted, and a malformed one is none at all.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from opentelemetry.context import attach, detach
from opentelemetry.trace import SpanContext, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from fourfold.model.call import Trace

__all__ = ["ambient", "current_trace", "parent_of"]

_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?")
"""W3C Trace Context, version and all-zero rules included."""

_PROPAGATOR = TraceContextTextMapPropagator()


@contextmanager
def ambient(headers: Mapping[str, str]) -> Generator[Trace | None]:
    """The trace that a request came in: of a web framework around us, else of its headers, which is current then."""
    around = current_trace()
    if around is not None or "traceparent" not in headers:
        yield around
        return
    token = attach(_PROPAGATOR.extract(headers))
    try:
        yield current_trace()
    finally:
        detach(token)


def current_trace() -> Trace | None:
    """The current span."""
    return _trace(get_current_span().get_span_context())


def parent_of(meta: Mapping[str, object]) -> Trace | None:
    """The trace that a request names itself, in its `_meta` (2026-07-28, SEP-414)."""
    parent = meta.get("traceparent")
    found = _TRACEPARENT.fullmatch(parent) if isinstance(parent, str) else None
    return None if found is None else Trace(trace_id=found[1], span_id=found[2])


def _trace(context: SpanContext) -> Trace | None:
    if not context.is_valid:
        return None
    return Trace(trace_id=f"{context.trace_id:032x}", span_id=f"{context.span_id:016x}")
