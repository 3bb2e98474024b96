"""Proves broken variants of the billing server, and says which check caught which: `python -m tests.prove.mutants.run`.

Each variant is a copy of the sources with one place changed, in a process of its own. `scripts/soak mutants` runs all.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.meta.repository import ROOT
from tests.prove.mutants.broken import BILLING, MUTANTS, Mutant

__all__ = ["UNBROKEN", "main", "verdicts_on"]

UNBROKEN = Mutant(name="nothing", family="none", file=f"{BILLING}/catalog.py", before="", after="")
"""The server as it is."""

_SOURCES = ("src/fourfold", "examples/billing/src/billing", "examples/payment_gateway/src/payment_gateway")
_FAMILIES = ("contract", "effect", "tenant")
_LONGEST_S = 600


def verdicts_on(mutant: Mutant, *, only: Sequence[str] = _FAMILIES, seed: int = 1) -> dict[str, set[str]]:
    """What the checks say about a variant: by status, the checks with their tools, as `check tool`.

    Raises:
        AssertionError: the place is not there, or the variant cannot be proved at all.
    """
    with tempfile.TemporaryDirectory(prefix="fourfold-mutant-") as name:
        folder = Path(name)
        for source in _SOURCES:
            shutil.copytree(ROOT / source, folder / source, ignore=shutil.ignore_patterns("__pycache__"))
        _change(folder / mutant.file, mutant)
        wanted = [word for each in only for word in ("--only", each)]
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "fourfold.cli",
                "prove",
                "billing:catalog",
                "--writes",
                "--json",
                "--seed",
                str(seed),
                *wanted,
            ],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(str((folder / each).parent) for each in _SOURCES)},
            capture_output=True,
            text=True,
            timeout=_LONGEST_S,
            check=False,
        )
    assert done.returncode in (0, 1), f"{mutant.name}: {done.stderr[-2_000:]}"
    assert done.stdout, f"{mutant.name} does not build: {done.stderr[-2_000:]}"
    found: dict[str, set[str]] = {"passed": set(), "failed": set(), "not_tested": set()}
    for each in json.loads(done.stdout)["verdicts"]:
        found[each["status"]].add(f"{each['check']} {each['tool']}".rstrip())
    return found


def main(names: Sequence[str]) -> None:
    """Prove the named variants, or all; print a row for each."""
    for line in _rows([mutant for mutant in MUTANTS if not names or mutant.name in names]):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def _rows(mutants: Sequence[Mutant]) -> Iterator[str]:
    passed = verdicts_on(UNBROKEN)["passed"]
    yield "| what is broken | kind | caught by | cannot be told any more |"
    yield "|---|---|---|---|"
    for mutant in mutants:
        found = verdicts_on(mutant)
        caught, open_now = _checks(found["failed"]) or "**nothing**", _checks(found["not_tested"] & passed) or "-"
        yield f"| {mutant.name} | {mutant.family} | {caught} | {open_now} |"


def _checks(found: set[str]) -> str:
    return ", ".join(f"`{check}`" for check in sorted({each.split(" ")[0] for each in found}))


def _change(path: Path, mutant: Mutant) -> None:
    text = path.read_text("utf-8")
    if mutant is UNBROKEN:
        return
    assert text.count(mutant.before) == 1, f"{mutant.name}: its place stands {text.count(mutant.before)} times"
    path.write_text(text.replace(mutant.before, mutant.after), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
