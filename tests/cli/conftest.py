"""A folder with a catalog and a configuration in it, and the command line called in this process."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable, Generator
from hashlib import sha256
from pathlib import Path

import pytest

from fourfold.cli.main import main
from tests.cli.commands import TOKEN, Result
from tests.cli.people import OPERATORS

_CATALOGS = Path(__file__).with_name("catalogs")
_CONFIGURATION = f"""\
[serve]
caller = "clerk"

[[caller]]
name = "clerk"
tenant = "acme"
principal = "clerk@acme"
scopes = ["orders:write", "reports:read"]
token_sha256 = "{sha256(TOKEN.encode()).hexdigest()}"

[[caller]]
name = "reader"
tenant = "acme"
principal = "reader@acme"
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """The current folder: `shop.py`, `noisy.py` and a `fourfold.toml` with two callers."""
    path = [*sys.path]
    modules = {*sys.modules}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FOURFOLD_TOKEN", raising=False)
    monkeypatch.delenv("FOURFOLD_KEYS", raising=False)
    for source in _CATALOGS.glob("*.py"):
        shutil.copy(source, tmp_path)
    (tmp_path / "fourfold.toml").write_text(_CONFIGURATION, "utf-8")
    yield tmp_path
    sys.path[:] = path
    for name in [name for name, module in sys.modules.items() if name not in modules and _is_in(module, tmp_path)]:
        del sys.modules[name]


@pytest.fixture
def house(workspace: Path) -> Path:
    """The workspace with people on call in it, and nobody else's to write."""
    path = workspace / "fourfold.toml"
    path.write_text(_CONFIGURATION + OPERATORS, "utf-8")
    path.chmod(0o600)
    return workspace


@pytest.fixture
def run(workspace: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """`fourfold` with the given words, in this process and in the workspace."""

    def called(*words: str, stdin: str = "") -> Result:
        capsys.readouterr()
        before, sys.stdin = sys.stdin, io.StringIO(stdin)
        try:
            with pytest.raises(SystemExit) as ended:
                main([*words])
        finally:
            sys.stdin = before
        printed = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Result(ended.value.code, printed.out, printed.err)

    return called


def _is_in(module: object, folder: Path) -> bool:
    return str(getattr(module, "__file__", None) or "").startswith(str(folder))
