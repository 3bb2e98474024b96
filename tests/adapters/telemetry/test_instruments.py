"""The instruments in this process: how many series there can be, and what stays off a span that is not the server's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from fourfold import Catalog
from fourfold.adapters.telemetry.instruments import OtelTelemetry
from fourfold.bootstrap.service import open_service
from fourfold.model.call import Call
from fourfold.model.conventions import METRICS
from fourfold.ports.telemetry import EndedCall
from fourfold.testing import caller
from tests.stages.desk import ACCOUNT, desk

pytestmark = pytest.mark.anyio


class Meter:
    """A reader and what records into it."""

    def __init__(self) -> None:
        self.reader = InMemoryMetricReader()
        self.provider = MeterProvider(metric_readers=[self.reader], shutdown_on_exit=False)
        self.telemetry = OtelTelemetry(self.provider.get_meter("fourfold"))

    def series(self) -> dict[str, list[dict[str, object]]]:
        """The attributes of every series, by metric."""
        data = self.reader.get_metrics_data()
        assert data is not None
        return {
            metric.name: [dict(point.attributes or {}) for point in metric.data.data_points]
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


@pytest.fixture
def meter() -> Iterator[Meter]:
    """A meter of this test alone."""
    made = Meter()
    yield made
    made.provider.shutdown()


async def test_callers_names_and_keys_make_no_series(meter: Meter) -> None:
    """B16: 60 callers of 60 tenants with 60 made-up tools, accounts and keys are as many series as one."""
    one, many = await _series_after(meter, 1), await _series_after(meter, 60)

    assert {name: len(found) for name, found in one.items()} == {name: len(found) for name, found in many.items()}
    assert {str(each["gen_ai.tool.name"]) for each in many["fourfold.calls"]} == {"note_add", "_other"}


async def _series_after(meter: Meter, callers: int) -> dict[str, list[dict[str, object]]]:
    catalog: Catalog = desk()
    async with open_service(catalog.build(), "memory:", telemetry=meter.telemetry) as service:
        for number in range(callers):
            who = caller(f"clerk-{number}", tenant=f"tenant-{number}")
            note = {"account_id": ACCOUNT, "text": f"note {number}"}
            for tool, arguments in (("note_add", note), (f"made_up_{number}", {}), ("note_add", {f"x{number}": 1})):
                await service.call(
                    Call(tool=tool, arguments=arguments, caller=who, meta_key=f"key-of-16-signs-{number}")
                )
    return meter.series()


def test_no_metric_has_an_attribute_that_says_who() -> None:
    """B16: one series for each tenant or account would cost without bound, and tell who they are."""
    assert {each.name for metric in METRICS for each in metric.attributes} == {
        "error.type",
        "fourfold.code",
        "fourfold.contract.version",
        "fourfold.decision",
        "fourfold.outcome",
        "fourfold.repeat",
        "fourfold.store.work",
        "gen_ai.operation.name",
        "gen_ai.tool.name",
        "mcp.method.name",
        "mcp.protocol.version",
        "network.protocol.name",
        "network.transport",
        "rpc.response.status_code",
    }


@pytest.mark.parametrize(("served", "attributes"), [(False, set[str]()), (True, {"fourfold.run.id"})])
def test_a_call_from_python_leaves_the_span_around_it_alone(meter: Meter, served: bool, attributes: set[str]) -> None:
    """B16: that one is the program's own, and the call is counted all the same."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer("a program").start_as_current_span("its work"):
        meter.telemetry.call_ended(EndedCall(run_id="run_1", tool="note_add", outcome="done", served=served))
    (span,) = exporter.get_finished_spans()

    assert {*(span.attributes or {})} & {"fourfold.run.id"} == attributes
    assert [series["fourfold.outcome"] for series in meter.series()["fourfold.calls"]] == ["done"]


def test_nothing_is_said_of_what_waits_until_it_is_known(meter: Meter) -> None:
    """B16: no zero before anybody has looked."""
    meter.telemetry.call_ended(EndedCall(run_id="run_1", outcome="done"))

    assert not {name for name in meter.series() if name.endswith((".unknown", ".waiting"))}
