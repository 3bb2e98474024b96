"""One contender in a process of its own: `python -m benchmarks.serve CONTENDER FOLDER [--stdio]`.

Over HTTP it prints its port as soon as connections are taken. Every contender runs on the same event loop: uvloop
where it is installed.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import anyio

__all__ = ["HAS_UVLOOP", "main"]

HAS_UVLOOP = find_spec("uvloop") is not None


def main() -> None:
    """Serve until SIGTERM, or until the input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("contender")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stdio", action="store_true")
    chosen = parser.parse_args()
    contender = import_module(f"benchmarks.{chosen.contender}_contender")
    work = (contender.speak,) if chosen.stdio else (contender.serve, _announce)
    anyio.run(work[0], chosen.folder, *work[1:], backend_options={"use_uvloop": HAS_UVLOOP})


def _announce(port: int) -> None:
    print(port, flush=True)


if __name__ == "__main__":
    main()
