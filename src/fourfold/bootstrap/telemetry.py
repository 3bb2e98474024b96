"""Whether a server sends telemetry: the standard OTEL_* variables say so, as for any other program."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.adapters.telemetry.instruments import OtelTelemetry, is_set_up
from fourfold.catalog.build import BuiltCatalog
from fourfold.ports.telemetry import Telemetry

if TYPE_CHECKING:
    from fourfold.adapters.telemetry.export import Export, Signal

__all__ = ["Wanted", "sending", "wanted"]

_SIGNALS: tuple[Signal, ...] = ("traces", "metrics")
_PROTOCOL = "http/protobuf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an environment asks for, and what of it cannot be had."""

    signals: tuple[Signal, ...]
    remarks: tuple[str, ...] = ()


def wanted(environment: Mapping[str, str]) -> Wanted:
    """What is to be sent: a signal that has an endpoint or the exporter `otlp`, unless something says no."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return Wanted(signals=())
    asked: list[Signal] = [signal for signal in _SIGNALS if _is_asked(environment, signal)]
    remarks = {signal: _remark(environment, signal) for signal in _SIGNALS}
    return Wanted(
        signals=tuple(signal for signal in asked if not remarks[signal]),
        remarks=tuple(remark for remark in remarks.values() if remark),
    )


@contextmanager
def sending(
    catalog: BuiltCatalog, *, environment: Mapping[str, str], tell: Callable[[str], None]
) -> Generator[Telemetry | None]:
    """Who is to be told how calls went, until the block ends; `None` where the environment asks for nothing.

    In a process that somebody has set OpenTelemetry up for, such as `opentelemetry-instrument`, it is theirs that is
    used. What is still queued at the end is sent, for as long as that takes but not for long.

    Args:
        catalog: what is served; its name is the service's, unless the environment has another.
        environment: the variables.
        tell: called with what an operator should read.
    """
    if is_set_up():
        yield OtelTelemetry.of_process()
        return
    found = wanted(environment)
    for remark in found.remarks:
        tell(remark)
    export = _started(found.signals, catalog, tell=tell) if found.signals else None
    if export is None:
        yield None
        return
    try:
        yield OtelTelemetry.of_process()
    finally:
        export.end()


def _started(signals: tuple[Signal, ...], catalog: BuiltCatalog, *, tell: Callable[[str], None]) -> Export | None:
    said = " and ".join(signals)
    try:
        from fourfold.adapters.telemetry.export import start_export
    except ImportError as error:
        tell(f"the OTEL_* variables ask for {said}, which need what is not installed ({error}): "
             "pip install fourfold[telemetry]; serving without them")  # fmt: skip
        return None
    tell(f"sending {said} over OTLP")
    return start_export(signals, name=catalog.name, version=catalog.version, tools=catalog.tools.keys())


def _is_asked(environment: Mapping[str, str], signal: Signal) -> bool:
    exporters = _words(environment, f"OTEL_{signal.upper()}_EXPORTER")
    if exporters:
        return "otlp" in exporters
    return any(
        environment.get(f"OTEL_EXPORTER_OTLP_{which}ENDPOINT", "").strip() for which in ("", f"{signal.upper()}_")
    )


def _remark(environment: Mapping[str, str], signal: Signal) -> str:
    """Why a signal is not sent although something asks for it, or ""."""
    exporters = _words(environment, f"OTEL_{signal.upper()}_EXPORTER")
    unknown = sorted(exporters - {"otlp", "none"})
    if unknown:
        return f"OTEL_{signal.upper()}_EXPORTER names {', '.join(unknown)}; {signal} go over otlp or not at all"
    if not _is_asked(environment, signal):
        return ""
    for variable in (f"OTEL_EXPORTER_OTLP_{signal.upper()}_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
        protocol = environment.get(variable, "").strip()
        if protocol:
            return "" if protocol == _PROTOCOL else f"{variable} is {protocol}; {signal} are sent over {_PROTOCOL} only"
    return ""


def _words(environment: Mapping[str, str], variable: str) -> set[str]:
    return {word.strip() for word in environment.get(variable, "").split(",") if word.strip()}
