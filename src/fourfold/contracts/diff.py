"""What changed between two locks of a catalog, and what each change does to those who use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from fourfold.contracts.schema_diff import schema_changes
from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject
from fourfold.model.lock import IMPACTS, CatalogLock, Change, Impact, LockedTool

__all__ = ["diff"]

_TEXTS = ("title", "description")
_SCHEMAS = {"inputSchema": "input", "outputSchema": "output"}

_LISTS: Mapping[str, tuple[str, Impact, str, Impact]] = {
    "faults": ("fault-added", "additive", "fault-removed", "breaking"),
    "needs": ("scope-added", "breaking", "scope-removed", "additive"),
}
"""Lists of a contract: what it is called, and does, if something comes or goes."""

_FACTS = {
    "effect": "effect-changed",
    "reach": "effect-changed",
    "missing": "fault-changed",
    "recovery": "effect-changed",
}
_VERSIONED = frozenset({"breaking", "additive"})


def diff(before: CatalogLock, after: CatalogLock) -> tuple[Change, ...]:
    """Every change, by tool in the order of `after`, the removed ones last; within a tool the worst first."""
    old = {tool.name: tool for tool in before.tools}
    new = {tool.name: tool for tool in after.tools}
    found: list[Change] = []
    for name, tool in new.items():
        changes = [_added(tool)] if name not in old else _of_tool(old[name], tool)
        found += sorted(changes, key=lambda change: IMPACTS.index(change.impact))
    return (*found, *(_removed(tool) for name, tool in old.items() if name not in new))


def _added(tool: LockedTool) -> Change:
    return Change(tool=tool.name, pointer="", kind="tool-added", impact="additive", reason="a new tool to choose from")


def _removed(tool: LockedTool) -> Change:
    reason = "calls of it are refused from now on"
    return Change(tool=tool.name, pointer="", kind="tool-removed", impact="breaking", reason=reason)


def _of_tool(before: LockedTool, after: LockedTool) -> list[Change]:
    changes = [*_texts(before, after), *_schemas(before, after), *_hints(before, after), *_others(before, after)]
    if before.contract is None or after.contract is None:
        return changes
    changes += _contract(after.name, before.contract, after.contract)
    return [
        replace(change, same_version=_is_unversioned(change, before.contract, after.contract)) for change in changes
    ]


def _is_unversioned(change: Change, before: JsonObject, after: JsonObject) -> bool:
    """Whether the version says that nothing changed; a breaking change needs a major step, a wording none."""
    old, new = str(before.get("version")), str(after.get("version"))
    if change.impact == "breaking":
        return old.partition(".")[0] == new.partition(".")[0]
    return change.impact in _VERSIONED and old == new


def _texts(before: LockedTool, after: LockedTool) -> Iterator[Change]:
    for field in _TEXTS:
        if before.definition.get(field) != after.definition.get(field):
            reason = f"the {field} changed: a model may choose it for other things"
            yield Change(tool=after.name, pointer=f"/{field}", kind="text-changed", impact="routing", reason=reason)


def _schemas(before: LockedTool, after: LockedTool) -> Iterator[Change]:
    for field, side in _SCHEMAS.items():
        old, new = before.definition.get(field), after.definition.get(field)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            for change in schema_changes(cast("JsonObject", old), cast("JsonObject", new), side=side, at=f"/{field}"):
                yield replace(change, tool=after.name)
        elif old != new:
            lost = old is not None
            yield Change(
                tool=after.name,
                pointer=f"/{field}",
                kind=f"{side}-schema-{'removed' if new is None else 'added' if old is None else 'changed'}",
                impact="breaking" if lost else "additive",
                reason="what was promised no longer is" if lost else "what was open is now promised",
            )


def _hints(before: LockedTool, after: LockedTool) -> Iterator[Change]:
    old, new = _object(before.definition, "annotations"), _object(after.definition, "annotations")
    for name in sorted({*old, *new}):
        if old.get(name) == new.get(name):
            continue
        is_text = name == "title"
        yield Change(
            tool=after.name,
            pointer=f"/annotations{pointer(name)}",
            kind="text-changed" if is_text else "hint-changed",
            impact="routing" if is_text else "breaking",
            reason=f"{name} was {_shown(old.get(name))} and is {_shown(new.get(name))}: clients gate calls by it",
        )


def _others(before: LockedTool, after: LockedTool) -> Iterator[Change]:
    """Fields that no rule knows: a client may act on them, so they count."""
    known = {*_TEXTS, *_SCHEMAS, "annotations", "name"}
    for name in sorted({*before.definition, *after.definition} - known):
        if before.definition.get(name) != after.definition.get(name):
            reason = f"{name} changed: a client may act on it"
            yield Change(tool=after.name, pointer=pointer(name), kind="field-changed", impact="routing", reason=reason)


def _contract(tool: str, before: JsonObject, after: JsonObject) -> Iterator[Change]:
    for field, kind in _FACTS.items():
        if before.get(field) != after.get(field):
            reason = f"{field} was {_shown(before.get(field))} and is {_shown(after.get(field))}"
            yield Change(tool=tool, pointer=f"/contract/{field}", kind=kind, impact="breaking", reason=reason)
    if before.get("keep") != after.get("keep"):
        reason = "what is kept of each call changed: those who answer for the data should know"
        yield Change(tool=tool, pointer="/contract/keep", kind="keep-changed", impact="additive", reason=reason)
    for field, (added, if_added, removed, if_removed) in _LISTS.items():
        old, new = set(before.get(field) or ()), set(after.get(field) or ())
        for name in sorted(new - old):
            yield _listed(tool, field, kind=added, impact=if_added, reason=f"{name} is new")
        for name in sorted(old - new):
            yield _listed(tool, field, kind=removed, impact=if_removed, reason=f"{name} is gone")


def _listed(tool: str, field: str, *, kind: str, impact: Impact, reason: str) -> Change:
    return Change(tool=tool, pointer=f"/contract/{field}", kind=kind, impact=impact, reason=reason)


def _object(definition: JsonObject, field: str) -> JsonObject:
    value: object = definition.get(field)
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def _shown(value: object) -> str:
    return "not said" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
