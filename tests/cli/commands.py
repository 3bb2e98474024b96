"""Runs `fourfold` as users do, in a process of its own, and serves with it. Owns no judgement."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

__all__ = ["FOURFOLD", "TOKEN", "Result", "Server", "fourfold", "serving"]

FOURFOLD = str(Path(sys.executable).with_name("fourfold"))
TOKEN = "tok-0123456789abcdef"
"""The token of `clerk` in the workspace's configuration."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


def fourfold(*words: str, stdin: bytes = b"", token: str | None = None, **environment: str) -> Result:
    """Run one command in a process of its own, in the current folder."""
    done = subprocess.run(
        [FOURFOLD, *words], input=stdin, capture_output=True, env=_environment(token, environment), check=False
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@dataclass(slots=True)
class Server:
    """A server that is up."""

    process: subprocess.Popen[str]
    announcement: str
    stderr: IO[str]

    @property
    def url(self) -> str:
        """Its endpoint, as it was announced."""
        return next(word for word in self.announcement.split() if word.startswith("http://"))

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal and wait: the exit code, and what stood on stderr after the announcement."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=60)
        return code, self.stderr.read()


@contextmanager
def serving(*options: str, target: str = "shop:catalog") -> Generator[Server]:
    """`fourfold serve` in the current folder, until the block ends; its pipes are open for a client."""
    command = [FOURFOLD, "serve", target, *options]
    pipe = subprocess.PIPE
    environment = _environment(None, {})
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        assert process.stderr is not None
        try:
            yield Server(process, _announcement(process.stderr), process.stderr)
        finally:
            process.kill()


def _announcement(stderr: IO[str]) -> str:
    seen: Sequence[str] = []
    for line in stderr:
        if line.startswith("serving "):
            return line
        seen = [*seen, line]
    raise AssertionError(f"the server did not start: {''.join(seen)}")


def _environment(token: str | None, more: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("FOURFOLD_", "NO_COLOR"))}
    given = {} if token is None else {"FOURFOLD_TOKEN": token}
    return {**inherited, "PYTHONDONTWRITEBYTECODE": "1", **given, **more}
