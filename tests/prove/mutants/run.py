"""Proves broken variants of the billing server, and says which check caught which: `python -m tests.prove.mutants.run`.

Each variant is proved in a process of its own, two at a time. `--in FOLDER` keeps the copy of the sources and what was
found, so that a run that was stopped goes on; `--write` writes docs/proving-mutants.md. `scripts/soak mutants` does.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.meta.repository import ROOT
from tests.prove.mutants.bench import UNBROKEN, Bench, Found, bench
from tests.prove.mutants.broken import MUTANTS
from tests.prove.mutants.mutant import Mutant
from tests.prove.mutants.page import page_of

__all__ = ["PAGE", "main"]

PAGE = ROOT / "docs" / "proving-mutants.md"


@dataclass(slots=True)
class _Results:
    """What was found, by the name of the variant; kept in a file as soon as it is found, if there is one."""

    file: Path | None
    found: dict[str, Found] = field(default_factory=dict[str, Found])

    def keep(self, name: str, found: Found) -> None:
        """Keep what was found of one variant."""
        self.found[name] = found
        if self.file is not None:
            self.file.write_text(json.dumps(self.found, indent=1), "utf-8")


def main(arguments: Sequence[str]) -> int:
    """Prove the named variants, or all; 1 if one that was written first is caught by nothing, or the server fails."""
    parser = argparse.ArgumentParser(prog="tests.prove.mutants.run", description=__doc__)
    parser.add_argument("names", nargs="*", help="variants; all of them without any")
    parser.add_argument("--in", dest="folder", type=Path, help="where the copy and the results are kept")
    parser.add_argument("--only", action="append", default=[], help="a check, family or tool: a quick look")
    parser.add_argument("--at-once", type=int, default=2, help="how many are proved at the same time")
    parser.add_argument("--write", action="store_true", help="write docs/proving-mutants.md")
    options = parser.parse_args(arguments)
    mutants = [UNBROKEN, *(each for each in MUTANTS if not options.names or each.name in options.names)]
    with _opened(options.folder) as (place, results):
        _prove(place, results, mutants=mutants, options=options)
    found = results.found
    if options.write:
        PAGE.write_text("\n".join(page_of(MUTANTS, found)) + "\n", "utf-8")
    missed = [each for each in mutants[1:] if not found[each.name]["failed"]]
    names = ", ".join(each.name for each in missed) or "none"
    sys.stdout.write(f"{len(mutants) - 1 - len(missed)} of {len(mutants) - 1} are caught; not: {names}\n")
    # How many of the last ones are caught is a measurement, and nothing that has to be so.
    return int(bool(found[UNBROKEN.name]["failed"]) or not all(each.last for each in missed))


@contextmanager
def _opened(folder: Path | None) -> Generator[tuple[Bench, _Results]]:
    file = None if folder is None else folder / "found.json"
    known: dict[str, Found] = json.loads(file.read_text("utf-8")) if file is not None and file.exists() else {}
    with bench(folder) as place:
        yield place, _Results(file, known)


def _prove(place: Bench, results: _Results, *, mutants: Sequence[Mutant], options: argparse.Namespace) -> None:
    """Prove what was not proved yet, and tell of each as it is done."""
    waiting = [each for each in mutants if each.name not in results.found]
    began = time.monotonic()
    with ThreadPoolExecutor(options.at_once) as pool:
        proving = {pool.submit(place.proved, each, only=options.only): each for each in waiting}
        for count, done in enumerate(as_completed(proving), 1):
            mutant = proving[done]
            results.keep(mutant.name, done.result())
            said = ", ".join(sorted({each.split(" ")[0] for each in results.found[mutant.name]["failed"]}))
            spent = f"{count}/{len(waiting)} {time.monotonic() - began:4.0f} s"
            sys.stdout.write(f"{spent}  {mutant.name}: {said or 'nothing failed'}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
