"""`OtelTelemetry`: what is told, as attributes of the SDK's span and as metrics (ports.Telemetry).

It opens no span of its own: the MCP SDK has one open around each request, and that is the current one here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opentelemetry.metrics import CallbackOptions, Counter, Histogram, Meter, Observation, get_meter
from opentelemetry.trace import (
    ProxyTracerProvider,
    Span,
    SpanContext,
    TraceFlags,
    get_current_span,
    get_tracer_provider,
)

from fourfold.model import conventions as known
from fourfold.model.call import Trace
from fourfold.model.conventions import Metric
from fourfold.ports.telemetry import CANCELLED, EndedCall, EndedRequest, StoreWork, Waiting

__all__ = ["OtelTelemetry", "is_set_up"]

_Values = dict[str, str | bool]

_NETWORK = {
    "http": {known.TRANSPORT.name: "tcp", known.PROTOCOL.name: "http"},
    "stdio": {known.TRANSPORT.name: "pipe"},
    "memory": {},
}


def is_set_up() -> bool:
    """Whether somebody has told OpenTelemetry in this process what to do with spans."""
    return not isinstance(get_tracer_provider(), ProxyTracerProvider)


class OtelTelemetry:
    """Records with the instruments of one meter. What becomes of it is the provider's business."""

    def __init__(self, meter: Meter) -> None:
        self._duration = _histogram(meter, known.DURATION)
        self._calls = _counter(meter, known.CALLS)
        self._repeats = _counter(meter, known.REPEATS)
        self._store = _histogram(meter, known.STORE_DURATION)
        self._waiting: Waiting | None = None
        _gauge(meter, known.UNKNOWN_CLAIMS, self._unknown_claims)
        _gauge(meter, known.WAITING_APPROVALS, self._approvals)

    @classmethod
    def of_process(cls) -> OtelTelemetry:
        """What records where the whole process does."""
        return cls(get_meter("fourfold"))

    def request_ended(self, request: EndedRequest) -> None:
        """Record the duration, and what the SDK leaves out of its span."""
        network = _NETWORK[request.transport]
        self._duration.record(request.seconds, _of_request(request) | network)
        span = get_current_span()
        if not span.is_recording():
            return
        span.set_attributes(network)
        if request.error == CANCELLED:
            span.set_attribute(known.ERROR.name, CANCELLED)
        if request.tool == known.OTHER:
            _hide_name(span, request.method)
        if request.linked is not None:
            span.add_link(_context(request.linked))

    def call_ended(self, call: EndedCall) -> None:
        """Count the call, and put what the stages know of it on the span."""
        counted = _said({
            known.TOOL: call.tool,
            known.VERSION: call.contract_version,
            known.OUTCOME: call.outcome,
            known.CODE: call.code,
            known.DECISION: call.decision,
        })  # fmt: skip
        self._calls.add(1, counted)
        if call.repeat:
            self._repeats.add(1, {known.TOOL.name: call.tool, known.REPEAT.name: call.repeat})
        span = get_current_span()
        if call.served and span.is_recording():
            span.set_attributes(_of_call(call))

    def store_worked(self, work: StoreWork, *, seconds: float, error: str = "") -> None:
        """Record how long it took."""
        self._store.record(seconds, _said({known.WORK: work, known.STORE_ERROR: error}))

    def waits(self, waiting: Waiting) -> None:
        """Keep it for the next collection, which happens in a thread that may not ask the store."""
        self._waiting = waiting

    def _unknown_claims(self, _options: CallbackOptions) -> Iterable[Observation]:
        return [] if self._waiting is None else [Observation(self._waiting.unknown_claims)]

    def _approvals(self, _options: CallbackOptions) -> Iterable[Observation]:
        return [] if self._waiting is None else [Observation(self._waiting.approvals)]


def _of_request(request: EndedRequest) -> _Values:
    is_code = request.error.lstrip("-").isdecimal()
    return _said({
        known.METHOD: request.method,
        known.OPERATION_NAME: "execute_tool" if request.method == "tools/call" else "",
        known.TOOL: request.tool,
        known.REVISION: request.revision,
        known.ERROR: request.error,
        known.STATUS: request.error if is_code else "",
    })  # fmt: skip


def _of_call(call: EndedCall) -> _Values:
    said = _said({
        known.VERSION: call.contract_version,
        known.OUTCOME: call.outcome,
        known.CODE: call.code,
        known.DECISION: call.decision,
        known.REPEAT: call.repeat,
        known.OPERATION_ID: call.operation_id,
        known.RUN_ID: call.run_id,
    })  # fmt: skip
    return {**said, known.REPLAYED.name: call.replayed}


def _said(values: dict[known.Attribute, str]) -> _Values:
    """Attributes by name, without those that say nothing."""
    return {attribute.name: value for attribute, value in values.items() if value}


def _hide_name(span: Span, method: str) -> None:
    """Take a made-up name off the span, where the SDK has put it: it is text of the caller's."""
    span.update_name(f"{method} {known.OTHER}")
    span.set_attribute(known.TOOL.name, known.OTHER)


def _context(trace: Trace) -> SpanContext:
    return SpanContext(
        trace_id=int(trace.trace_id, 16),
        span_id=int(trace.span_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )


def _histogram(meter: Meter, metric: Metric) -> Histogram:
    return meter.create_histogram(
        metric.name, metric.unit, metric.says, explicit_bucket_boundaries_advisory=metric.bounds
    )


def _counter(meter: Meter, metric: Metric) -> Counter:
    return meter.create_counter(metric.name, metric.unit, metric.says)


def _gauge(meter: Meter, metric: Metric, read: Callable[[CallbackOptions], Iterable[Observation]]) -> None:
    meter.create_observable_gauge(metric.name, [read], metric.unit, metric.says)
