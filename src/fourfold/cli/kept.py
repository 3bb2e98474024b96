"""What was kept of a call, as JSON and as lines for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from fourfold.adapters.clock import SystemClock
from fourfold.bootstrap.maintenance import sealer_of
from fourfold.cli.output import plain, when
from fourfold.errors import ConfigError
from fourfold.model.kept import KeptPart
from fourfold.model.run import Run
from fourfold.ports.runs import Runs
from fourfold.ports.sealer import Sealer
from fourfold.runs.kept import FoundKept, find_kept

__all__ = ["facts_of_kept", "kept_in", "lines_of_kept"]

_LOSSES = {"redacted": "redacted", "left_out": "of no declared type", "cut": "cut"}


async def kept_in(store: str, runs: Runs, *, run: Run) -> FoundKept | None:
    """What `runs`, those of the store at that URL, keep of the call of `run`."""
    return await find_kept(runs, run, sealer=_sealer(store), now_ms=SystemClock().now_ms())


def facts_of_kept(found: FoundKept | None) -> dict[str, object] | None:
    """It as JSON: each part is null where it is not kept, and all of them where `why` says that nobody can read it."""
    if found is None:
        return None
    call = asdict(found.call) if found.call is not None else {}
    parts = {name: call.get(name) for name in ("arguments", "result", "scopes", "has_meta_key")}
    return {"until_ms": found.until_ms, "why": found.why, **parts}


def lines_of_kept(found: FoundKept | None) -> Iterator[str]:
    """It as lines; nothing if nothing is kept."""
    if found is None:
        return
    yield f"kept until {when(found.until_ms)}"
    if found.call is None:
        yield f"  {found.why}"
        return
    yield f"  with the scopes {plain(', '.join(found.call.scopes)) or 'none'}"
    for name, part in (("arguments", found.call.arguments), ("result", found.call.result)):
        if part is not None:
            yield name
            yield from (f"  {line}" for line in _lines_of(part))


def _lines_of(part: KeptPart) -> Iterator[str]:
    # As JSON has it, so that nothing in a text can pass for a line of this output.
    yield from json.dumps(dict(part.value), indent=2).splitlines()
    for name, word in _LOSSES.items():
        places: tuple[str, ...] = getattr(part, name)
        if places:
            yield f"{word}: {plain(', '.join(place or 'everything' for place in places))}"


def _sealer(store: str) -> Sealer | None:
    try:
        return sealer_of(store)
    except ConfigError:
        return None
