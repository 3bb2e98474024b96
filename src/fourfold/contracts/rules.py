"""The rules that schemas of a contract keep, each with its reason and its fix (requirements A1, B2, B3, C1).

A rule looks at one `Node` and yields what is broken there. `broken` runs all of them, honours waivers, and
reports every problem at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fourfold.contracts.breach import Breach
from fourfold.contracts.flaws import flaws
from fourfold.contracts.markers import Waived
from fourfold.contracts.rules_of_meaning import INPUT_MEANING, OUTPUT_MEANING
from fourfold.contracts.rules_of_shape import INPUT_SHAPE, OUTPUT_SHAPE
from fourfold.contracts.rules_of_text import TEXT
from fourfold.contracts.strict_json import pointer
from fourfold.contracts.walk import Node, Schema, starts, walk
from fourfold.errors import BuildProblem
from fourfold.model.contract import Waiver

__all__ = ["SchemaReview", "broken"]

_NEVER_WAIVED = frozenset({"unsafe_number", "split_alias", "unpublished_field", "marked_recursion"})
"""Rules whose breach cannot work or would leak, whatever the reason."""

_RULES = {
    "input": (*TEXT, *INPUT_SHAPE, *INPUT_MEANING),
    "form": (*TEXT, *INPUT_SHAPE, *INPUT_MEANING),
    "output": (*TEXT, *OUTPUT_SHAPE, *OUTPUT_MEANING),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaReview:
    """What the rules say about one schema: the problems, and the waivers that were used."""

    problems: tuple[BuildProblem, ...]
    waivers: tuple[Waiver, ...]


def broken(schema: Schema, *, tool: str, side: str) -> SchemaReview:
    """Every rule that `schema` breaks. `side` is `input`, `output` or `form`; it prefixes where a problem is."""
    problems = [
        _problem(breach, f"{tool}: {side} {node.pointer}".rstrip())
        for node in starts(schema)
        for breach in flaws(node, side=side)
    ]
    waivers: list[Waiver] = []
    for owner, nodes in _by_owner(walk(schema)).items():
        found = [(breach, node.pointer) for node in nodes for breach in _breaches(node, side)]
        waived = {mark.rule: mark.reason for node in nodes for mark in node.marks(Waived)}
        used = waived.keys() & {breach.rule for breach, _ in found} - _NEVER_WAIVED
        where = f"{side} {pointer(*owner)}"
        problems.extend(_problem(breach, f"{tool}: {side} {at}") for breach, at in found if breach.rule not in used)
        problems.extend(_problem(_unused(rule), f"{tool}: {where}") for rule in sorted(waived.keys() - used))
        waivers.extend(Waiver(rule=rule, where=where, reason=waived[rule]) for rule in sorted(used))
    return SchemaReview(problems=tuple(dict.fromkeys(problems)), waivers=tuple(waivers))


def _by_owner(nodes: Iterable[Node]) -> dict[tuple[str, ...], list[Node]]:
    """Each property with its items and arms: a waiver on the property holds for all of them."""
    grouped: dict[tuple[str, ...], list[Node]] = {}
    for node in nodes:
        grouped.setdefault(node.owner, []).append(node)
    return grouped


def _breaches(node: Node, side: str) -> list[Breach]:
    return [*flaws(node, side=side), *(breach for rule in _RULES[side] for breach in rule(node))]


def _problem(breach: Breach, where: str) -> BuildProblem:
    return BuildProblem(
        rule=breach.rule, where=where, what=breach.what, why=breach.why, fix=breach.fix, severity=breach.severity
    )


def _unused(rule: str) -> Breach:
    return Breach(
        "unused_waiver",
        f"the waiver of {rule!r} sets nothing aside",
        "a waiver that does nothing hides the next real problem",
        "remove it",
    )
