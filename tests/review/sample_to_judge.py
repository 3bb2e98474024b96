"""Draws the findings on the 61 public catalogs that people judge: ten of each rule, from as many servers as can be.

`python -m tests.review.sample_to_judge FF2` prints those of a family that `judged/ff2.csv` does not judge yet, as
lines to be completed there.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path

from fourfold.model.finding import Finding
from fourfold.review.engine import review
from fourfold.review.saved import read_saved

__all__ = ["CATALOGS", "JUDGED", "SAMPLE", "Judged", "Place", "drawn", "findings", "judged"]

CATALOGS = Path(__file__).parents[3] / "shared" / "data" / "catalogs"
JUDGED = Path(__file__).parent / "judged"
SAMPLE = 10
COLUMNS = ("rule", "catalog", "tool", "pointer", "verdict", "message", "why")

Place = tuple[str, str, str, str]
"""A rule's id, a catalog, a tool and a pointer into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A finding that somebody looked at beside the tool's definition: `right` or `wrong`, and why."""

    place: Place
    verdict: str
    message: str
    why: str


def findings() -> Mapping[Place, Finding]:
    """The first finding of each rule at each place of the catalogs."""
    found: dict[Place, Finding] = {}
    for path in sorted(CATALOGS.glob("*.json")):
        for finding in _reviewed(path):
            found.setdefault((finding.id, path.stem, finding.tool, finding.pointer), finding)
    return found


def drawn(places: Iterable[Place]) -> Iterator[Place]:
    """Up to ten places of each rule: one of each catalog first, then a second of each; within it, by hash."""
    by_rule: dict[str, list[Place]] = defaultdict(list)
    for place in sorted(places, key=_shuffled):
        by_rule[place[0]].append(place)
    for _, of_rule in sorted(by_rule.items()):
        yield from _spread(of_rule)


def judged() -> Mapping[Place, Judged]:
    """What was judged so far."""
    read: dict[Place, Judged] = {}
    for path in sorted(JUDGED.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                place = (row["rule"], row["catalog"], row["tool"], row["pointer"])
                read[place] = Judged(place=place, verdict=row["verdict"], message=row["message"], why=row["why"])
    return read


@cache
def _reviewed(path: Path) -> tuple[Finding, ...]:
    catalog = read_saved(path.read_bytes(), target=path.stem)
    return review(catalog, today=date(2026, 11, 30)).findings


def _shuffled(place: Place) -> bytes:
    return sha256("\n".join(place).encode()).digest()


def _spread(places: Sequence[Place]) -> Sequence[Place]:
    seen = Counter[str]()
    ranked: list[tuple[int, Place]] = []
    for place in places:
        ranked.append((seen[place[1]], place))
        seen[place[1]] += 1
    return [place for _, place in sorted(ranked, key=lambda each: each[0])][:SAMPLE]


def _main(family: str) -> None:
    found, done = findings(), judged()
    write = csv.writer(sys.stdout, lineterminator="\n")
    write.writerow(COLUMNS)
    for place in drawn(found):
        if place[0].startswith(family) and place not in done:
            write.writerow([*place, "", found[place].message, ""])


if __name__ == "__main__":
    _main(sys.argv[1])
