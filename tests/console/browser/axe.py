"""The accessibility rules of axe-core, run inside a page. Owns no judgement but which impact is too much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

__all__ = ["PROGRAM", "barriers"]

PROGRAM = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
_TOO_MUCH = {"serious", "critical"}
_RUN = "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"


def barriers(page: Page) -> Sequence[str]:
    """One line for each element that keeps somebody out: impact, rule, what is wrong, and the element."""
    # Sent over the debugging protocol, which no Content-Security-Policy of the page stops.
    page.evaluate(_program())
    violations: list[Mapping[str, Any]] = page.evaluate(_RUN)
    return [line for violation in violations if violation["impact"] in _TOO_MUCH for line in _lines(violation)]


@cache
def _program() -> str:
    return PROGRAM.read_text("utf-8") + "; undefined"


def _lines(violation: Mapping[str, Any]) -> Sequence[str]:
    said = f"{violation['impact']} {violation['id']}: {violation['help']}"
    return [f"{said}\n  at {' '.join(map(str, node['target']))}\n  {node['html'][:200]}" for node in violation["nodes"]]
