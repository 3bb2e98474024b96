"""What the OTEL_* variables ask for."""

from __future__ import annotations

import pytest

from fourfold.bootstrap.telemetry import wanted

_HERE = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}


@pytest.mark.parametrize(
    ("environment", "signals"),
    [
        ({}, ()),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, ()),
        (_HERE, ("traces", "metrics")),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, ("traces",)),
        ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://127.0.0.1:4318/v1/metrics"}, ("metrics",)),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, ("traces",)),
        ({**_HERE, "OTEL_TRACES_EXPORTER": "none"}, ("metrics",)),
        ({**_HERE, "OTEL_METRICS_EXPORTER": "none", "OTEL_TRACES_EXPORTER": "otlp"}, ("traces",)),
        ({**_HERE, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, ("traces", "metrics")),
        ({**_HERE, "OTEL_SDK_DISABLED": "TRUE"}, ()),
    ],
)
def test_the_standard_variables_say_what_is_sent(environment: dict[str, str], signals: tuple[str, ...]) -> None:
    """B16: as for any other program; nothing is sent unless something says so."""
    found = wanted(environment)

    assert (found.signals, found.remarks) == (signals, ())


@pytest.mark.parametrize(
    ("environment", "signals", "remarks"),
    [
        (
            {**_HERE, "OTEL_TRACES_EXPORTER": "console"},
            ("metrics",),
            ("OTEL_TRACES_EXPORTER names console; traces go over otlp or not at all",),
        ),
        (
            {**_HERE, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            (),
            (
                "OTEL_EXPORTER_OTLP_PROTOCOL is grpc; traces are sent over http/protobuf only",
                "OTEL_EXPORTER_OTLP_PROTOCOL is grpc; metrics are sent over http/protobuf only",
            ),
        ),
        (
            {
                **_HERE,
                "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
                "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "http/json",
            },
            ("traces",),
            ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL is http/json; metrics are sent over http/protobuf only",),
        ),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, (), ()),
    ],
)
def test_what_cannot_be_had_is_said_and_not_sent(
    environment: dict[str, str], signals: tuple[str, ...], remarks: tuple[str, ...]
) -> None:
    """B16: rather than to send it where nobody understands it."""
    found = wanted(environment)

    assert (found.signals, found.remarks) == (signals, remarks)
