"""What telemetry costs a call: CPU time with traces and metrics on, beside the same calls without.

Usage: python -m benchmarks.telemetry [--rounds N] [--seconds S]

OpenTelemetry is set up once in a process and for good, so each turn is a process of its own, one after the other. What
is sent goes to a collector that takes everything, in another process. The sending thread's time counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import anyio

from benchmarks.fourfold_contender import IDENTITY, catalog
from benchmarks.posting import posting
from benchmarks.serve import HAS_UVLOOP
from benchmarks.stopwatch import Stopwatch
from benchmarks.wire import Operation, http_request
from fourfold.bootstrap.service import open_service
from fourfold.bootstrap.telemetry import sending
from fourfold.edge.asgi import build_app
from fourfold.ports.telemetry import Telemetry

__all__ = ["measure"]

_OPERATIONS: tuple[Operation, ...] = ("quote_preview", "invoice_list")
_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_MODES = {
    "nothing": {},
    "metrics": {"OTEL_TRACES_EXPORTER": "none"},
    "a tenth of the traces": {"OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.1"},
    "everything": {},
}


def measure(*, rounds: int, seconds: float) -> dict[str, dict[str, list[float]]]:
    """CPU microseconds a call, one number a round, by operation and by what is sent."""
    taken = {operation: {mode: list[float]() for mode in _MODES} for operation in _OPERATIONS}
    with _collector() as url:
        for _ in range(rounds):
            for mode, settings in _MODES.items():
                more = {_ENDPOINT: url, **settings} if mode != "nothing" else {}
                for operation, cost in zip(_OPERATIONS, _turn(seconds, more), strict=True):
                    taken[operation][mode].append(cost)
    return taken


def _turn(seconds: float, more: dict[str, str]) -> list[float]:
    """The cost of each operation in a new process."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    command = [sys.executable, "-m", "benchmarks.telemetry", "--turn", "--seconds", str(seconds)]
    done = subprocess.run(command, env={**inherited, **more}, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


async def _costs(seconds: float, telemetry: Telemetry | None) -> list[float]:
    watch = Stopwatch(rounds=1, seconds=seconds)
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{Path(folder) / 'bench.db'}"
        async with open_service(catalog.build(), store, telemetry=telemetry) as service:
            app = build_app(service, IDENTITY)
            async with app.running():
                parts = [
                    await watch.each(operation, posting(app, http_request(operation, mcp=True)))
                    for operation in _OPERATIONS
                ]
    return [part.cpu_us[0] for part in parts]


@contextmanager
def _collector() -> Generator[str]:
    """The URL of a process that takes whatever is sent to it."""
    command = [sys.executable, "-m", "benchmarks.telemetry", "--collect"]
    with ExitStack() as stack:
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(process.kill)
        assert process.stdout is not None
        yield process.stdout.readline().strip()


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Take it."""
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class says so
        """Nothing."""


def _collect() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Taking) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
        threading.Event().wait()


def _take_turn(seconds: float) -> None:
    with sending(catalog.build(), environment=os.environ, tell=lambda _: None) as telemetry:
        found = anyio.run(_costs, seconds, telemetry, backend_options={"use_uvloop": HAS_UVLOOP})
    print(*found)


def main() -> None:
    """Print the smallest costs and their ratio, or do the part of a child."""
    parser = argparse.ArgumentParser(description="What telemetry costs a call.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--turn", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--collect", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.collect:
        _collect()
    elif given.turn:
        _take_turn(given.seconds)
    else:
        for operation, taken in measure(rounds=given.rounds, seconds=given.seconds).items():
            off = min(taken["nothing"])
            said = [f"{mode} {min(costs):.0f} us (x {min(costs) / off:.2f})" for mode, costs in taken.items()]
            print(f"{operation}: {', '.join(said)}")


if __name__ == "__main__":
    main()
