"""An OTLP/HTTP endpoint on loopback: takes what is sent, decodes the protobuf, and can keep a sender waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric
from opentelemetry.proto.trace.v1.trace_pb2 import Span

__all__ = ["Collector", "Point", "SeenSpan", "collecting"]

T = TypeVar("T")

_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSpan:
    """A span as it was received. Ids are lower-case hex; `links` are (trace, span)."""

    name: str
    kind: str
    scope: str
    trace_id: str
    span_id: str
    parent: str
    links: tuple[tuple[str, str], ...]
    attributes: dict[str, Any]
    status: str
    message: str
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The newest value of a metric for some attributes: a number, or of a histogram its count."""

    attributes: dict[str, Any]
    value: int
    bounds: tuple[float, ...] = ()


@dataclass(slots=True)
class Collector:
    """What came in. While `held` is clear, requests are read and not answered."""

    url: str = ""
    bodies: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])
    held: threading.Event = field(default_factory=threading.Event)

    @property
    def raw(self) -> bytes:
        """Every byte that was received in bodies."""
        return b"\0".join(body for _, body in self.bodies)

    @property
    def resource(self) -> dict[str, Any]:
        """What the first span says about its process."""
        return _values(next(iter(self._traces())).resource.attributes)

    def spans(self, name: str = "") -> list[SeenSpan]:
        """The spans of that name, in the order of their beginnings."""
        found = [
            (span.start_time_unix_nano, _seen(span, scope=scoped.scope.name))
            for resource in self._traces()
            for scoped in resource.scope_spans
            for span in scoped.spans
            if name in ("", span.name)
        ]
        return [seen for _, seen in sorted(found, key=lambda each: each[0])]

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Kind and unit of every metric, by name."""
        return {name: (str(metric.WhichOneof("data")), metric.unit) for name, metric in self._metrics().items()}

    def points(self, name: str) -> list[Point]:
        """The newest points of a metric, in the order of their attributes."""
        metric = self._metrics().get(name)
        if metric is None:
            return []
        data = getattr(metric, str(metric.WhichOneof("data")))
        found = [_point(point) for point in data.data_points]
        return sorted(found, key=lambda each: sorted(map(str, each.attributes.items())))

    def _traces(self) -> list[Any]:
        requests = [ExportTraceServiceRequest.FromString(body) for path, body in self.bodies if path == "/v1/traces"]
        return [resource for request in requests for resource in request.resource_spans]

    def _metrics(self) -> dict[str, Metric]:
        requests = [ExportMetricsServiceRequest.FromString(body) for path, body in self.bodies if path == "/v1/metrics"]
        return {
            metric.name: metric
            for request in requests
            for resource in request.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }

    def wait(self, read: Callable[[Collector], T]) -> T:
        """What `read` finds as soon as it finds anything."""
        ends = time.monotonic() + _PATIENCE_S
        while time.monotonic() < ends:
            found = read(self)
            if found:
                return found
            threading.Event().wait(0.05)
        raise AssertionError(f"it was not received within {_PATIENCE_S:g} seconds")


@contextmanager
def collecting() -> Generator[Collector]:
    """A collector that answers until the block ends."""
    collector = Collector()
    collector.held.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            collector.bodies.append((self.path, body))
            collector.held.wait()
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class says so
            """Nothing."""

    with _Quiet(("127.0.0.1", 0), Handler) as server:
        collector.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield collector
        finally:
            collector.held.set()
            server.shutdown()


class _Quiet(ThreadingHTTPServer):
    """A sender that has gone is no trouble here."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing."""


def _seen(span: Span, *, scope: str) -> SeenSpan:
    return SeenSpan(
        name=span.name,
        kind=Span.SpanKind.Name(span.kind),
        scope=scope,
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        links=tuple((link.trace_id.hex(), link.span_id.hex()) for link in span.links),
        attributes=_values(span.attributes),
        status=str(span.status.code),
        message=span.status.message,
        events=tuple(event.name for event in span.events),
    )


def _point(point: Any) -> Point:
    attributes = _values(point.attributes)
    if hasattr(point, "explicit_bounds"):
        return Point(attributes=attributes, value=point.count, bounds=tuple(point.explicit_bounds))
    return Point(attributes=attributes, value=point.as_int)


def _values(attributes: Any) -> dict[str, Any]:
    pairs: list[KeyValue] = list(attributes)
    return {pair.key: getattr(pair.value, str(pair.value.WhichOneof("value"))) for pair in pairs}
