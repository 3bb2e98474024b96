"""The extra `fourfold[sandbox]`: who needs it, and what happens without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from fourfold.bootstrap.service import open_service
from fourfold.errors import ConfigError
from fourfold.testing import open_kit
from tests.sandbox.shop import shop
from tests.stages.desk import desk


def test_without_the_extra_a_sandbox_is_not_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A13: at the start, with the command that helps; also in the test kit."""
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    message = r"stock_query: a Sandbox needs an SQL parser: pip install fourfold\[sandbox\]"

    async def serve() -> None:
        async with open_service(shop().build(), f"sqlite:///{tmp_path / 'shop.db'}"):
            pass

    with pytest.raises(ConfigError, match=message):
        anyio.run(serve)
    with pytest.raises(ConfigError, match=message), open_kit(shop()):
        pass


def test_without_the_extra_everything_else_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """A13: a catalog without a sandbox does not ask for a parser."""
    monkeypatch.setitem(sys.modules, "sqlglot", None)

    with open_kit(desk()) as kit:
        assert kit.call("no_such_tool").code == "unknown_tool"


def test_the_server_never_loads_the_parser() -> None:
    """A13, A3: neither `import fourfold`, nor serving, nor a query: the parser lives in the query's process."""
    script = """
import sys
import fourfold, fourfold.sandbox
from fourfold.testing import open_kit
from tests.sandbox.shop import shop
with open_kit(shop()) as kit:
    assert kit.call("stock_query", {"sql": "SELECT 1 AS one"}).ok
print(sorted(name for name in sys.modules if name.startswith("sqlglot")))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=root)

    assert done.stdout == "[]\n"
