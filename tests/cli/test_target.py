"""Connecting to a target: a person at a terminal is told what takes so long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import anyio
import pytest

from fourfold.cli.target import Target, said_when_slow
from tests.cli.commands import FOURFOLD


def test_a_slow_connection_is_announced_on_a_terminal() -> None:
    """B9: a server that says nothing looks like one that is waited for, not like a command that hangs."""
    ours, theirs = os.openpty()
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen([FOURFOLD, "tools", "--", *silent], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = os.read(ours, 4096).decode()
        process.send_signal(signal.SIGINT)
        os.read(ours, 4096)
        process.wait(timeout=60)
    os.close(ours)

    assert seen == f"connecting to {' '.join(silent)} …\r\n"
    assert process.returncode == 130


def test_nothing_is_announced_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """B9: a log of a script has results and errors in it, and no small talk."""

    async def wait() -> None:
        with said_when_slow("waiting for stock_get", after_s=0):
            for _ in range(3):
                await anyio.lowlevel.checkpoint()

    anyio.run(wait)

    assert capsys.readouterr() == ("", "")


def test_a_target_is_shown_as_it_was_written() -> None:
    """B9: in messages."""
    shown = [Target(catalog="shop:catalog"), Target(url="http://a/mcp"), Target(command=("python", "server.py"))]

    assert [str(target) for target in shown] == ["shop:catalog", "http://a/mcp", "python server.py"]
