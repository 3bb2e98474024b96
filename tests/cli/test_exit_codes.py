"""The exit code says what kind of thing went wrong; each is seen from a real process."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.commands import FOURFOLD, fourfold

pytestmark = pytest.mark.usefixtures("workspace")


def test_a_clean_command_ends_with_zero() -> None:
    """A9: results on standard output, nothing on standard error."""
    result = fourfold("call", "shop:catalog", "order_create", '{"customer": "C001", "sku": "ABC-1234", "pieces": 1}')

    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("order A00001 saved\n{")


def test_a_finding_ends_with_one() -> None:
    """A4: the tool answered with an error, which is no fault of the command."""
    result = fourfold("call", "shop:catalog", "order_create", "{}")

    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("invalid_arguments: ")


def test_misuse_ends_with_two() -> None:
    """B18: the configuration has no such caller."""
    result = fourfold("call", "shop:catalog", "stock_get", "--caller", "nobody")

    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "fourfold: no [[caller]] is named 'nobody'; configured: clerk, reader. Add one to fourfold.toml.\n"
    )


def test_a_store_that_fails_ends_with_three(workspace: Path) -> None:
    """A9: the store is no database."""
    (workspace / "text.db").write_text("this is not a database, and long enough to be read as one" * 20, "utf-8")

    result = fourfold("runs", "list", "--store", "sqlite:///text.db")

    assert (result.code, result.out) == (3, "")
    assert result.err.startswith("fourfold: ")
    assert "Traceback" not in result.err


def test_an_interrupted_command_ends_with_130() -> None:
    """B9: Ctrl-C while a server that never answers is waited for."""
    silent = ["python", "-c", "import sys; print('up', file=sys.stderr, flush=True); sys.stdin.read()"]
    with subprocess.Popen([FOURFOLD, "tools", "--", *silent], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "up\n"
        process.send_signal(signal.SIGINT)
        printed = process.stderr.read()

    assert (process.returncode, "interrupted" in printed, "Traceback" in printed) == (130, True, False), printed


def test_a_reader_that_stops_early_is_no_error() -> None:
    """A9: `fourfold … | head -1` prints one line and no traceback."""
    pipeline = f"{FOURFOLD} tools shop:catalog --json | head -1"

    done = subprocess.run(["bash", "-c", pipeline], capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("{\n", "")
