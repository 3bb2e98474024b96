"""Which tools a caller sees: the served toolsets, filtered by scopes and policy, in pages. Listing grants nothing."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from fourfold.model.caller import Caller
from fourfold.model.contract import ToolContract
from fourfold.stages.admit import listed
from fourfold.stages.flow import Ports

__all__ = ["Listing", "list_tools"]

PAGE_TOOLS = 200
"""Tools a page."""

CURSOR_LIFE_MS = 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of tools, ordered by name. `private` means that the list depends on the caller."""

    tools: tuple[ToolContract, ...]
    next_cursor: str | None
    private: bool


def list_tools(ports: Ports, caller: Caller, *, cursor: str | None) -> Listing:
    """The page that `cursor` points at, or the first.

    Raises:
        SealError: the cursor is forged, expired, of another caller, or of another list.
    """
    seen = [tool.contract for tool in ports.catalog.tools.values() if listed(ports, tool, caller=caller)]
    bind = (caller.tenant, caller.principal, _digest(seen))
    now = ports.clock.now_ms()
    after = ports.sealer.open("listing", cursor, bind=bind, now_ms=now).decode() if cursor is not None else ""
    rest = [contract for contract in seen if contract.name > after]
    page, more = rest[:PAGE_TOOLS], len(rest) > PAGE_TOOLS
    following = page[-1].name.encode() if more else b""
    return Listing(
        tools=tuple(page),
        next_cursor=ports.sealer.seal("listing", following, bind=bind, expires_ms=now + CURSOR_LIFE_MS)
        if more
        else None,
        private=depends_on_caller(ports),
    )


def depends_on_caller(ports: Ports) -> bool:
    """Whether two callers may see different lists, so that no shared cache may keep one."""
    return ports.policy is not None or any(
        tool.contract.needs and not tool.contract.step_up for tool in ports.catalog.tools.values()
    )


def _digest(contracts: list[ToolContract]) -> str:
    return hashlib.sha256("".join(contract.lock_digest for contract in contracts).encode()).hexdigest()
