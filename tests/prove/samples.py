"""Samples drawn over the schemas of published servers, judged again by validators that the generator does not use.

As a command it draws 10,000 of each and prints what it found: `python -m tests.prove.samples`.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

import jsonschema
import jsonschema_rs

from fourfold.model.contract import JsonObject
from fourfold.prove.generate import maker_for
from fourfold.prove.judge import judges
from fourfold.prove.sample import Sample, Unmakeable
from tests.meta.repository import SHARED

CATALOGS = SHARED / "data/catalogs"
_EACH = 8


@dataclass(slots=True)
class Drawn:
    """What was drawn: how many, which were judged otherwise than they claim, and what could not be made."""

    accepted: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list[str])
    unmakeable: list[str] = field(default_factory=list[str])
    kinds: Counter[str] = field(default_factory=Counter[str])
    dropped: Counter[str] = field(default_factory=Counter[str])


def seeded(seed: object) -> random.Random:
    """Dice that fall the same way again."""
    return random.Random(f"{seed}")  # noqa: S311  # choices that must repeat, no secret


def published_schemas() -> list[tuple[str, JsonObject]]:
    """Every schema of the catalogs once, with where it stands; empty where there are no catalogs."""
    found: dict[str, tuple[str, JsonObject]] = {}
    for path in sorted(CATALOGS.glob("*.json")):
        for tool in json.loads(path.read_bytes())["tools"]:
            for name in ("inputSchema", "outputSchema"):
                if name in tool:
                    key = json.dumps(tool[name], sort_keys=True)
                    found.setdefault(key, (f"{path.stem} {tool['name']} {name}", tool[name]))
    return [*found.values()]


def draw(schemas: Sequence[tuple[str, JsonObject]], *, each: int, seed: int = 0) -> Drawn:
    """As many as `each` good and bad samples of every schema."""
    drawn = Drawn()
    for where, schema in schemas:
        maker = maker_for(schema, dice=seeded(f"{seed}:{where}"), known=lambda _: ())
        try:
            samples = [*islice(maker.positives(), each), *islice(maker.negatives(), each)]
        except Unmakeable as unmakeable:
            drawn.unmakeable.append(f"{where}: {unmakeable}")
            continue
        drawn.dropped += maker.dropped
        drawn.kinds.update(sample.kind for sample in samples)
        drawn.accepted += sum(sample.valid for sample in samples)
        drawn.refused += sum(not sample.valid for sample in samples)
        drawn.wrong += [f"{where}: {why}" for why in _misjudged(schema, samples)]
    return drawn


def _misjudged(schema: JsonObject, samples: list[Sample]) -> Iterator[str]:
    """The samples that one of the two stock validators sees otherwise."""
    # The library is half typed.
    library = cast("Any", jsonschema)
    known = library.validators.validator_for(schema, default=library.Draft202012Validator)
    first = known(schema, format_checker=known.FORMAT_CHECKER)
    second = jsonschema_rs.validator_for({**schema}, validate_formats=True)
    for sample in samples:
        # The first one has some formats only with more packages; that they are wrong is then for the second one.
        by_first = sample.valid if sample.kind == "format" else first.is_valid(sample.value)
        if {by_first, second.is_valid(sample.value)} != {sample.valid}:
            yield f"{sample.kind} at {sample.pointer}: {json.dumps(sample.value)[:300]}"


def main() -> int:
    """Draw the full count and print it; 1 if it falls short."""
    schemas = published_schemas()
    began = time.perf_counter()
    drawn = draw(schemas, each=_EACH)
    took = time.perf_counter() - began
    lines = [
        f"{drawn.accepted:,} accepted and {drawn.refused:,} refused, over {len(schemas):,} schemas, in {took:.1f} s",
        f"judged by {' and '.join(judges())}, then again by both as they come",
        f"kinds: {dict(drawn.kinds.most_common())}",
        f"dropped before use: {dict(drawn.dropped)}",
        f"judged otherwise than claimed: {len(drawn.wrong)}",
        *drawn.wrong[:20],
        f"schemas without samples: {len(drawn.unmakeable)}",
        *drawn.unmakeable,
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    full = min(drawn.accepted, drawn.refused) >= 10_000
    return 0 if full and not drawn.wrong and len(drawn.unmakeable) * 100 < len(schemas) else 1


if __name__ == "__main__":
    sys.exit(main())
