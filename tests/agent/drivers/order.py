"""What a driver is told to do, and the caller that it does it with. Run by the environment of the other package."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fourfold.agent import Intent, Rules, ToolCaller, connect, read_lock
from fourfold.model.lock import CatalogLock

__all__ = ["ORDER", "caller", "report"]

ORDER: dict[str, Any] = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
"""`url` and `token`; `lock`, a file; `calls`, each of which the model makes in a turn of its own."""


async def consent(intent: Intent) -> bool:
    """Creating is fine."""
    return intent.effect == "create"


@asynccontextmanager
async def caller() -> AsyncGenerator[ToolCaller]:
    """The caller for the order."""
    rules = Rules(allow=["quote_*", "invoice_execute_*"], lock=_lock(), consent={"create": consent})
    async with connect(ORDER["url"], token=ORDER["token"]) as session:
        yield ToolCaller(session, rules)


def report(**facts: Any) -> None:
    """Print what the model was given."""
    sys.stdout.write(json.dumps(facts))


def _lock() -> CatalogLock:
    return read_lock(Path(ORDER["lock"]).read_bytes(), name="the lock")
