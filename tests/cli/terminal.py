"""Runs `fourfold` at a terminal of its own, as a person does. Owns no judgement."""

from __future__ import annotations

import os
import pty
import subprocess
from contextlib import suppress

from tests.cli.commands import FOURFOLD

__all__ = ["at_terminal"]


def at_terminal(*words: str, keys: str = "", **environment: str) -> str:
    """What a terminal shows of one command in the current folder, once `keys` were typed."""
    ours, theirs = pty.openpty()
    try:
        plain = {"TERM": "xterm", "COLUMNS": "120", "NO_COLOR": "1", "PATH": os.environ["PATH"]}
        command = subprocess.Popen(
            [FOURFOLD, *words], stdin=theirs, stdout=theirs, stderr=theirs, env={**plain, **environment}
        )
        os.close(theirs)
        os.write(ours, keys.encode())
        shown = bytearray()
        # The terminal is gone once nobody writes to it any more.
        with suppress(OSError):
            while read := os.read(ours, 4096):
                shown += read
        command.wait(timeout=60)
        return shown.decode().replace("\r\n", "\n")
    finally:
        os.close(ours)
