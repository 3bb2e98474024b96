"""`fix_schema`: the portable equivalent of a tool's input schema, and the proof that it accepts the same values.

The proof is by trial: values made from both schemas, each with one place changed, judged under both. A rewriting that
one value tells from its original is thrown away, and said so. What has no equal stays, and is listed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce

from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedTool
from fourfold.model.portability import FixedSchema, SameValues, SchemaChange
from fourfold.review.accepts import Judge, Unjudged
from fourfold.review.fit import ToolFit
from fourfold.review.profile import Profile, all_profiles
from fourfold.review.registry import all_rules
from fourfold.review.rewrite import Rewriter
from fourfold.review.rule import ToolRule
from fourfold.review.trial import trial_values
from fourfold.review.view import ToolView

__all__ = ["fix_schema"]

_VALUES = 1_000
"""Values that are tried on each of the two schemas."""

_GROWTH, _LARGE = 4, 20_000
"""A schema that grows more than fourfold, to more than so many characters, costs more than its references do."""


def fix_schema(tool: ListedTool, profiles: Iterable[Profile] | None = None) -> FixedSchema:
    """The portable equivalent of a tool's input schema. `profiles` are `review.profile.chosen`; without them, all."""
    clients = all_profiles() if profiles is None else tuple(profiles)
    before = tool.input_schema
    try:
        judge = Judge(before)
        rewriter = Rewriter(before, _formats(clients))
        after = rewriter.rewritten()
        if len(_compact(after)) > max(_GROWTH * len(_compact(before)), _LARGE):
            return _as_it_was(tool, clients, why=f"written out, it would have {len(_compact(after)):,} characters")
        proof = _proof(before, after, judge=judge) if rewriter.changes else None
    except Unjudged as error:
        return _as_it_was(tool, clients, why=str(error))
    if proof is not None and proof.note:
        return _as_it_was(tool, clients, why=proof.note, proof=proof)
    return _result(tool, after, clients, changes=tuple(rewriter.changes), proof=proof)


def _as_it_was(
    tool: ListedTool, clients: tuple[Profile, ...], *, why: str, proof: SameValues | None = None
) -> FixedSchema:
    note = SchemaChange(pointer="/inputSchema", what=f"left as it was: {why}")
    return _result(tool, tool.input_schema, clients, proof=proof, notes=(note,))


def _formats(profiles: Iterable[Profile]) -> frozenset[str] | None:
    """The formats that every client takes; `None` if no client minds."""
    taken = [demand.words for profile in profiles for demand in profile.of_rule("format-unsupported")]
    return reduce(frozenset[str].__and__, taken) if taken else None


def _proof(before: JsonObject, after: JsonObject, *, judge: Judge) -> SameValues:
    counts, other = _Counts(), Judge(after)
    for schema in (before, after):
        for value in trial_values(schema, most=_VALUES):
            verdict = judge.accepts(value)
            if verdict != other.accepts(value):
                return SameValues(accepted=0, refused=0, note=f"{_short(value)} would tell it apart")
            counts.add(is_accepted=verdict)
    note = "" if counts.accepted else "no value was found that it accepts"
    return SameValues(accepted=counts.accepted, refused=counts.refused, note=note)


@dataclass(slots=True)
class _Counts:
    accepted: int = 0
    refused: int = 0

    def add(self, *, is_accepted: bool) -> None:
        self.accepted += is_accepted
        self.refused += not is_accepted


def _result(
    tool: ListedTool,
    schema: JsonObject,
    clients: tuple[Profile, ...],
    *,
    changes: tuple[SchemaChange, ...] = (),
    proof: SameValues | None,
    notes: tuple[SchemaChange, ...] = (),
) -> FixedSchema:
    fixed = ListedTool(definition={**tool.definition, "inputSchema": schema})
    return FixedSchema(
        tool=tool.name,
        schema=schema,
        changes=changes,
        left=(*notes, *_left(ToolView(fixed, clients))),
        proof=proof,
        size_before=len(_compact(tool.input_schema)),
        size_after=len(_compact(schema)),
    )


def _left(tool: ToolView) -> Iterator[SchemaChange]:
    for rule in all_rules():
        if isinstance(rule, ToolRule) and isinstance(rule.check, ToolFit):
            for hit in rule.check(tool):
                if hit.pointer.startswith("/inputSchema"):
                    yield SchemaChange(pointer=hit.pointer, what=f"{rule.id}: {hit.message}")


def _short(value: Json) -> str:
    return ascii(_compact(value)[:120])


def _compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=str)
