"""Where broken variants are made and proved: a copy of the sources, and for each variant a folder that links to it.

Only the folder of the changed file is a real one, so that Python compiles the rest once for all variants.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.meta.repository import ROOT
from tests.prove.mutants.mutant import BILLING, Mutant

__all__ = ["UNBROKEN", "Bench", "Found", "bench"]

UNBROKEN = Mutant(name="nothing", family="none", file=f"{BILLING}/catalog.py", before="", after="")
"""The server as it is."""

Found = Mapping[str, Sequence[str]]
"""By status, the checks that have it and their tools, as `check tool`."""

_SOURCES = ("src/fourfold", BILLING, "examples/payment_gateway/src/payment_gateway")
_LONGEST_S = 1_800


@dataclass(frozen=True, slots=True)
class Bench:
    """A copy of the sources, which stay as they are while variants are tried, and a payment gateway beside it."""

    copy: Path
    gateway: str

    def proved(self, mutant: Mutant, *, only: Sequence[str] = (), seed: int = 1) -> Found:
        """What the checks say about a variant; all of them, or those of some names, families or tools.

        Raises:
            AssertionError: the place is not there, or the variant cannot be proved at all.
        """
        with tempfile.TemporaryDirectory(prefix="fourfold-mutant-") as name:
            folder = Path(name)
            self._make(folder, mutant)
            return _verdicts(mutant.name, self._prove(folder, only=only, seed=seed))

    def _make(self, folder: Path, mutant: Mutant) -> None:
        for source in _SOURCES:
            (folder / source).parent.mkdir(parents=True, exist_ok=True)
            (folder / source).symlink_to(self.copy / source)
        if mutant is UNBROKEN:
            return
        text = (self.copy / mutant.file).read_text("utf-8")
        assert text.count(mutant.before) == 1, f"{mutant.name}: its place stands {text.count(mutant.before)} times"
        _unlink_around(folder, mutant.file)
        (folder / mutant.file).unlink()
        (folder / mutant.file).write_text(text.replace(mutant.before, mutant.after), "utf-8")

    def _prove(self, folder: Path, *, only: Sequence[str], seed: int) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(str((folder / each).parent) for each in _SOURCES)
        prove = ("prove", "billing:catalog", "--writes", "--json", "--seed", str(seed))
        return subprocess.run(
            [sys.executable, "-m", "fourfold.cli", *prove, *(word for each in only for word in ("--only", each))],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path, "BILLING_GATEWAY_URL": self.gateway},
            capture_output=True,
            text=True,
            timeout=_LONGEST_S,
            check=False,
        )


@contextmanager
def bench(folder: Path | None = None) -> Generator[Bench]:
    """A bench with the sources as they are now; one that was made in `folder` before keeps those that it has."""
    with tempfile.TemporaryDirectory(prefix="fourfold-bench-") as name:
        place = Path(name) if folder is None else folder.resolve()
        for source in _SOURCES:
            if not (place / source).exists():
                shutil.copytree(ROOT / source, place / source, ignore=shutil.ignore_patterns("__pycache__"))
        with _gateway(Path(name) / "gateway.db") as url:
            yield Bench(place, url)


@contextmanager
def _gateway(ledger: Path) -> Generator[str]:
    """The payment gateway of the example, on a free port of this machine, so that refunds can be proved; its URL."""
    command = [sys.executable, "-m", "payment_gateway", "--port", "0", "--ledger", str(ledger)]
    path = os.pathsep.join(str((ROOT / each).parent) for each in _SOURCES)
    with subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            yield process.stderr.readline().split()[-1]
        finally:
            process.terminate()


def _unlink_around(folder: Path, file: str) -> None:
    """Make real folders of the links on the way to a file, with links to what else is in them."""
    place = folder
    for step in Path(file).parent.parts:
        place /= step
        if place.is_symlink():
            linked = place.resolve()
            place.unlink()
            place.mkdir()
            for inner in linked.iterdir():
                if inner.name != "__pycache__":
                    (place / inner.name).symlink_to(inner)


def _verdicts(name: str, done: subprocess.CompletedProcess[str]) -> Found:
    if done.returncode not in (0, 1) or not done.stdout:
        raise AssertionError(f"{name} cannot be proved: {done.stderr[-2_000:]}")
    found: dict[str, list[str]] = {"passed": [], "failed": [], "warned": [], "not_tested": []}
    for each in json.loads(done.stdout)["verdicts"]:
        found[each["status"]].append(f"{each['check']} {each['tool']}".rstrip())
    return found
