"""Claims: operations of which nobody knows whether they happened, and settling them with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, get_args

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fourfold.catalog.tool import BuiltTool
from fourfold.console.asked import Asked
from fourfold.console.pages.deciding import PAGE, decide, rows_asked
from fourfold.contracts.check import OutputViolation
from fourfold.errors import DecisionError
from fourfold.model.audit import AuditEntry
from fourfold.model.claim import Claim, ClaimState
from fourfold.ports.sealer import Sealer
from fourfold.ports.units import Unit
from fourfold.stages.on_call import Settlement
from fourfold.stages.settling import happened_with, never_happens, plan_behind

__all__ = ["claim", "claims", "settle"]

_STATES: tuple[str, ...] = ("unknown", "all", *(state for state in get_args(ClaimState) if state != "unknown"))


async def claims(asked: Asked) -> Response:
    """Operations, newest first; the unknown ones unless another state is asked for."""
    chosen, rows, store = asked.choice("state", *_STATES), rows_asked(asked), asked.console.store
    state = None if chosen == "all" else cast("ClaimState", chosen)
    found = await asked.console.look(
        lambda unit: store.claims.list(unit, state=state, tenant=asked.tenant, limit=rows + 1)
    )
    return asked.page(
        "claims.html",
        claims=found[:rows],
        more=rows + PAGE if len(found) > rows else 0,
        chosen=chosen,
        states=_STATES,
    )


async def claim(asked: Asked) -> Response:
    """One operation with what was decided about it."""
    found, audit = await asked.console.look(lambda unit: _found(asked, unit))
    return asked.page(
        "claim.html",
        claim=found,
        audit=audit,
        may=asked.viewer.may("claims.settle", tenant=found.scope.tenant),
        has_tool=_tool_of(asked, found) is not None and asked.console.sealer is not None,
    )


async def settle(asked: Asked) -> Response:
    """Say what became of an unknown operation."""
    form = await asked.form()
    found, _ = await asked.console.look(lambda unit: _found(asked, unit))
    said, evidence = form.get("said", ""), form.get("evidence", "").strip()
    if said == "never":
        await _never(asked, found, evidence)
    elif said in ("happened", "missed"):
        settlement = _settlement(asked, found, evidence, happened=said == "happened", result=form.get("result", ""))
        await decide(asked, lambda person, at: person.settle(at.unit, settlement))
    else:
        raise DecisionError("say whether it happened")
    return asked.see_other(f"/claims/{found.operation_id}")


def _settlement(asked: Asked, found: Claim, evidence: str, *, happened: bool, result: str) -> Settlement:
    if not (happened and result.strip()):
        return Settlement(operation_id=found.operation_id, happened=happened, evidence=evidence)
    tool, sealer = _tool_and_keys(asked, found)
    try:
        written = result.encode("utf-8", "replace")
        return happened_with(found, tool, written=written, evidence=evidence, sealer=sealer)
    except OutputViolation as violation:
        raise DecisionError(f"that is no result of {found.scope.tool}: {violation}") from None


async def _never(asked: Asked, found: Claim, evidence: str) -> None:
    """It did not happen and never will; what was set aside for it is given back in the same transaction."""
    console = asked.console
    tool, sealer = _tool_and_keys(asked, found)
    plan = await console.look(lambda unit: plan_behind(found, console.store, unit=unit))
    settlement, reservation = never_happens(
        found, tool, plan=plan, evidence=evidence, sealer=sealer, now_ms=console.clock.now_ms()
    )
    await decide(
        asked,
        lambda person, at: person.abandon(at, settlement, reservation=reservation),
        tenant=found.scope.tenant,
    )


def _tool_and_keys(asked: Asked, found: Claim) -> tuple[BuiltTool, Sealer]:
    tool, sealer = _tool_of(asked, found), asked.console.sealer
    if tool is None or sealer is None:
        raise DecisionError("this needs the catalog and its keys: start the console with module:catalog")
    return tool, sealer


def _tool_of(asked: Asked, found: Claim) -> BuiltTool | None:
    catalog = asked.console.catalog
    return catalog.tools.get(found.scope.tool) if catalog is not None else None


def _found(asked: Asked, unit: Unit) -> tuple[Claim, Sequence[AuditEntry]]:
    """The operation that the path names, with its audit.

    Raises:
        HTTPException: 404 if there is none, or it is another tenant's.
    """
    store = asked.console.store
    found = store.claims.operation(unit, asked.request.path_params["operation_id"].replace("\0", ""))
    if found is None or not asked.viewer.sees(found.scope.tenant):
        raise HTTPException(404)
    return found, store.audit.list(unit, tenant=found.scope.tenant, about=found.operation_id, limit=100)
