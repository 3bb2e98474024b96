"""A stored run as JSON and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from fourfold.cli.output import plain, when
from fourfold.ports.runs import RunRecord

__all__ = ["facts_of", "lines_of"]


def facts_of(record: RunRecord) -> dict[str, object]:
    """A run as JSON; tokens say that they are estimates. `total_us` and `delivered` are null where unknown."""
    facts = asdict(record.run)
    facts["counted"] = [list(pair) for pair in record.run.counted]
    facts["charges"] = [asdict(charge) for charge in record.run.charges]
    facts["filled"] = dict(record.run.filled)
    facts["tokens_in_estimated"] = facts.pop("tokens_in")
    facts["tokens_out_estimated"] = facts.pop("tokens_out")
    facts["tokens_definition_estimated"] = facts.pop("tokens_definition")
    facts["total_us"] = record.closing.total_us if record.closing else None
    facts["delivered"] = record.closing.delivered if record.closing else None
    return facts


def lines_of(record: RunRecord) -> Iterator[str]:
    """A run as `name  value` lines, without what is empty; the note, which has lines of its own, last."""
    facts = facts_of(record)
    del facts["note"]
    facts["at_ms"] = f"{record.run.at_ms} ({when(record.run.at_ms)})"
    facts["stage_us"] = ", ".join(f"{stage} {spent}" for stage, spent in record.run.stage_us.items())
    facts["counted"] = ", ".join(f"{field}={value}" for field, value in record.run.counted)
    charges = (f"{charge.what} {charge.amount_minor} {charge.currency} minor" for charge in record.run.charges)
    facts["charges"] = ", ".join(charges)
    facts["filled"] = ", ".join(field for field, held in record.run.filled.items() if held)
    width = max(map(len, facts))
    for name, value in facts.items():
        if value not in ("", None):
            yield f"{name.ljust(width)}  {plain(str(value))}"
    if record.run.note:
        yield "note"
        yield from (f"  {line}" for line in plain(record.run.note).splitlines())
