"""Prints what a tracer would record of a call that crashes and of one that is invalid; run as a process of its own.

The tracer provider of OpenTelemetry can be set once in a process, so this does not share one with the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import anyio
import httpx2
from opentelemetry import trace

from fourfold.edge.asgi import build_app
from tests.edge.edge_service import ANNA, EdgeService, SoleCaller
from tests.edge.wire import call


class Span(trace.NonRecordingSpan):
    """Writes down everything that is set on it."""

    def set_attributes(self, attributes: Any) -> None:
        """Print them."""
        sys.stdout.write(f"attributes {dict(attributes)}\n")

    def set_attribute(self, key: str, value: Any) -> None:
        """Print it."""
        sys.stdout.write(f"attribute {key}={value}\n")

    def set_status(self, status: Any, description: str | None = None) -> None:
        """Print it."""
        sys.stdout.write(f"status {status} {description}\n")

    def record_exception(self, exception: BaseException, *_args: Any, **_more: Any) -> None:
        """Print it."""
        sys.stdout.write(f"exception {exception}\n")


class Tracer(trace.Tracer):
    """Makes spans that print."""

    def start_span(self, name: str, *_args: Any, **more: Any) -> Span:
        """Print its name and attributes."""
        sys.stdout.write(f"span {name} {more.get('attributes')}\n")
        return Span(trace.INVALID_SPAN_CONTEXT)

    def start_as_current_span(self, name: str, *_args: Any, **more: Any) -> Any:
        """As `start_span`, with exceptions recorded as OpenTelemetry does unless told otherwise."""
        return self._current(name, **more)

    @contextmanager
    def _current(self, name: str, **more: Any) -> Generator[Span]:
        recorded = more.get("record_exception", True)
        span = self.start_span(name, **more)
        with trace.use_span(span, record_exception=recorded, set_status_on_exception=recorded):
            yield span


class Provider(trace.TracerProvider):
    """Gives everybody that tracer."""

    def get_tracer(self, *_args: Any, **_more: Any) -> Tracer:
        """The tracer."""
        return Tracer()


async def _calls() -> None:
    app = build_app(EdgeService(), SoleCaller(ANNA))
    transport = httpx2.ASGITransport(app)
    async with app.running(), httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        await call(client, "crash")
        await call(client, "echo", {"hunter3": "hunter4"})


if __name__ == "__main__":
    trace.set_tracer_provider(Provider())
    anyio.run(_calls)
