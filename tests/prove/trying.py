"""Proves the server of notes with one check, and says what came of it."""

from __future__ import annotations

import sys
from pathlib import Path

from fourfold.bootstrap.proving import Address, Terms, proving_server
from fourfold.errors import TargetError
from fourfold.model.proof import Verdict
from fourfold.prove.engine import Selection, prove

__all__ = ["verdict", "verdicts"]

_SERVER = str(Path(__file__).with_name("broken_server.py"))


async def verdicts(*faults: str, only: tuple[str, ...], writes: bool = True, seed: int = 1) -> list[Verdict]:
    """The verdicts about the server with those faults, up to where it ended if it does."""
    found: list[Verdict] = []
    terms = Terms(seed=seed, max_calls=5_000, writes=writes)
    try:
        async with proving_server([Address(target=[sys.executable, _SERVER, *faults])], terms) as desk:
            await prove(desk, revision="2026-07-28", selection=Selection(only=only), progress=found.append)
    except TargetError:
        if not any(each.status == "failed" for each in found):
            raise
    return found


async def verdict(check: str, tool: str, *faults: str, writes: bool = True) -> Verdict:
    """What one check says about one tool; the tool is empty for the server as a whole."""
    found = await verdicts(*faults, only=(check,), writes=writes)
    return next(each for each in found if each.tool == tool)
