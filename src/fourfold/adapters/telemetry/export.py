"""Sends spans and metrics over OTLP/HTTP, with what the extra `fourfold[telemetry]` installs.

Everything that the standard OTEL_* variables say of endpoint, headers, sampling and intervals is read by
OpenTelemetry's own SDK. Owns that neither a call nor the end of the process waits for a collector.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Set
from dataclasses import dataclass
from time import monotonic
from typing import Literal

from opentelemetry import metrics, trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from fourfold.model.conventions import METHOD, METHODS, OTHER, PROMPT, REQUEST_ID, TOOL

__all__ = ["Export", "Signal", "start_export"]

Signal = Literal["traces", "metrics"]

_SDK_SCOPE = "mcp-python-sdk"
_MAX_REQUEST_ID = 64

_END_S = 5.0
"""Seconds that what is still queued gets at the end. A collector that does not answer is given up then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """What sends, until it is ended."""

    traces: TracerProvider | None
    metrics: MeterProvider | None

    def end(self) -> None:
        """Send what is queued, within `_END_S` seconds."""
        threads = [
            threading.Thread(target=provider.shutdown, daemon=True)
            for provider in (self.traces, self.metrics)
            if provider is not None
        ]
        for thread in threads:
            thread.start()
        # Side by side: the second would get nothing of the time if the first had used it up.
        ends = monotonic() + _END_S
        for thread in threads:
            thread.join(max(ends - monotonic(), 0))


def start_export(signals: Collection[Signal], *, name: str, version: str, tools: Set[str]) -> Export:
    """Send `signals` from now on. Spans and metrics that handlers make with OpenTelemetry go along.

    `tools` are the names that a span may have; a caller can send any other one. OTEL_SERVICE_NAME and
    OTEL_RESOURCE_ATTRIBUTES stand before `name` and `version`.
    """
    own = Resource({SERVICE_NAME: name, SERVICE_VERSION: version}).merge(OTELResourceDetector().detect())
    resource = Resource.create(own.attributes)
    export = Export(
        traces=_traces(resource, tools) if "traces" in signals else None,
        metrics=_metrics(resource) if "metrics" in signals else None,
    )
    if export.traces is not None:
        trace.set_tracer_provider(export.traces)
    if export.metrics is not None:
        metrics.set_meter_provider(export.metrics)
    return export


class _Bounded(SpanProcessor):
    """Takes what a caller made up off the SDK's spans, before its length or their number costs anything.

    The SDK names a span after the method and the `name` of the request as they came, before anything is checked.
    """

    def __init__(self, tools: Set[str]) -> None:
        self._tools = tools

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:  # noqa: ARG002  # the SDK says so
        """Look at a span that begins."""
        scope, said = span.instrumentation_scope, span.attributes or {}
        if scope is None or scope.name != _SDK_SCOPE:
            return
        method, tool, request_id = (str(said.get(each.name, "")) for each in (METHOD, TOOL, REQUEST_ID))
        if method not in METHODS:
            span.update_name(OTHER)
            span.set_attribute(METHOD.name, OTHER)
        elif method != "tools/call":
            span.update_name(method)
        elif tool and tool not in self._tools:
            span.update_name(f"{method} {OTHER}")
            span.set_attribute(TOOL.name, OTHER)
        if PROMPT.name in said:
            span.set_attribute(PROMPT.name, OTHER)
        if len(request_id) > _MAX_REQUEST_ID:
            span.set_attribute(REQUEST_ID.name, request_id[:_MAX_REQUEST_ID])


def _traces(resource: Resource, tools: Set[str]) -> TracerProvider:
    # Its own hook at exit would wait for as long as the exporter tries.
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(_Bounded(tools))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def _metrics(resource: Resource) -> MeterProvider:
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    return MeterProvider(metric_readers=[reader], resource=resource, shutdown_on_exit=False)
