"""The payment gateway of `examples/`, as a process of its own that tests start, trouble and look into."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from payment_gateway import DEMO_TOKEN, Trouble

__all__ = ["Gateway", "running"]


@dataclass(frozen=True, slots=True)
class Gateway:
    """A gateway that answers at `url`."""

    url: str

    def trouble(self, kind: Trouble, *, times: int = 1, retry_after: str | None = None) -> None:
        """Let the next `times` requests go wrong."""
        wanted = {"trouble": kind, "times": times, "retry_after": retry_after}
        httpx2.post(f"{self.url}/control/troubles", json=wanted).raise_for_status()

    def forget(self) -> None:
        """Begin anew: no trouble, no refunds, no requests."""
        httpx2.delete(f"{self.url}/control").raise_for_status()

    @property
    def seen(self) -> dict[str, Any]:
        """`requests`, their `keys`, and how many `refunds` came of them."""
        return httpx2.get(f"{self.url}/control").json()

    @property
    def counts(self) -> tuple[int, int, int]:
        """Requests, different keys, and refunds."""
        seen = self.seen
        return seen["requests"], len(set(seen["keys"])), seen["refunds"]

    def client(self, *, token: str = DEMO_TOKEN) -> httpx2.AsyncClient:
        """Connections to it; whoever asks for them closes them."""
        return httpx2.AsyncClient(base_url=self.url, headers={"Authorization": f"Bearer {token}"})


@contextmanager
def running(ledger: Path) -> Generator[Gateway]:
    """A gateway over that ledger until the block ends."""
    command = [sys.executable, "-m", "payment_gateway", "--port", "0", "--ledger", str(ledger)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert " at http://" in line, line + process.stderr.read()
        try:
            yield Gateway(line.split(" at ")[1].strip())
        finally:
            process.terminate()
            process.stderr.close()
