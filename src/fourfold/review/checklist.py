"""The production checklist: twelve boxes, each ticked by evidence about this very catalog, or open with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from fourfold.model.evidence import CheckedBox, EvidenceRecord

__all__ = ["BOXES", "Box", "check_boxes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One line of the checklist and what it takes.

    Attributes:
        rules: beginnings of ids, or symbols, of rules that must have looked and found neither error nor warning.
        reviewed: whether somebody must have looked at the definitions as they are now (`lock --reviewed-by`).
        proved: kinds of evidence that only running the server can give.
    """

    text: str
    rules: tuple[str, ...] = ()
    reviewed: bool = False
    proved: tuple[str, ...] = ()


BOXES: tuple[Box, ...] = (
    Box(
        text="One narrow business action per tool",
        rules=("FF101", "FF105", "FF106", "FF107", "FF108", "FF109", "FF120"),
    ),
    Box(
        text="The description states use, non-use, output and the limits of side effects",
        rules=("FF102", "FF103", "FF104", "FF110", "FF111", "FF113"),
    ),
    Box(text="Input and output schemas are versioned and reviewed", rules=("FF301",), reviewed=True),
    Box(text="Trusted identity and policy are no arguments of a model", rules=("FF201", "FF202", "FF203", "FF205")),
    Box(text="Access to the object is decided before data or effects are returned", proved=("tenant",)),
    Box(
        text="Results are bounded, redacted, and say where they come from",
        rules=("FF302", "FF303", "FF304", "FF311", "FF312"),
        proved=("contract",),
    ),
    Box(text="Errors, completion and a request for input are told apart", proved=("protocol",)),
    Box(
        text="Writes have confirmation and idempotency",
        rules=("FF204", "FF406", "FF407", "FF408", "FF409", "FF410", "FF411", "FF412"),
        proved=("effect",),
    ),
    Box(text="Handles are opaque, scoped, protected and expire", rules=("FF315",), proved=("effect",)),
    Box(
        text="Annotations match behaviour, and nothing relies on them",
        rules=("FF401", "FF402", "FF403", "FF404", "FF405", "FF418"),
        proved=("effect",),
    ),
    Box(
        text="Deterministic, protocol, model and adversarial tests run",
        proved=("contract", "effect", "tenant", "protocol", "select"),
    ),
    Box(text="Records show versions and decisions, and no secret", proved=("records",)),
)
"""The checklist of the four contracts, in its order."""


def check_boxes(digest: str, evidence: Mapping[str, EvidenceRecord]) -> tuple[CheckedBox, ...]:
    """Each box against the evidence about the catalog with that digest.

    Args:
        digest: of the catalog as it is now, as the lock counts it.
        evidence: by kind; what is about another catalog counts as none.
    """
    fresh = {kind: record for kind, record in evidence.items() if record.catalog_digest == digest}
    stale = frozenset(evidence) - frozenset(fresh)
    return tuple(_checked(box, fresh, stale) for box in BOXES)


def _checked(box: Box, fresh: Mapping[str, EvidenceRecord], stale: frozenset[str]) -> CheckedBox:
    wanted = [*(["review"] if box.rules else []), *(["lock"] if box.reviewed else []), *box.proved]
    missing = [kind for kind in wanted if kind not in fresh]
    if missing:
        reasons = [f"the evidence of {kind} is about another state" for kind in missing if kind in stale]
        reasons += [f"there is no evidence of {kind}" for kind in missing if kind not in stale]
        return CheckedBox(text=box.text, ticked=False, reason=", ".join(reasons), next_step=_HOW[missing[0]])
    against = [*_found(box, fresh)]
    if against:
        return CheckedBox(text=box.text, ticked=False, reason="; ".join(against), next_step="mend what was found")
    return CheckedBox(text=box.text, ticked=True, reason=", ".join(_named(fresh[kind]) for kind in wanted))


def _found(box: Box, fresh: Mapping[str, EvidenceRecord]) -> Iterator[str]:
    """What the evidence says against a box."""
    if box.rules:
        results = fresh["review"].results
        looked = cast("Sequence[str]", results.get("rules", ()))
        found = cast("Mapping[str, int]", results.get("findings", {}))
        for rule in box.rules:
            if rule not in looked:
                yield f"{rule} was not looked for"
            elif found.get(rule):
                yield f"{found[rule]} of {rule}"
    for kind in box.proved:
        results = fresh[kind].results
        if results.get("failed"):
            yield f"{results['failed']} checks of {kind} failed"
        if results.get("not_tested"):
            yield f"{results['not_tested']} checks of {kind} were not tested"


def _named(record: EvidenceRecord) -> str:
    allowed = record.results.get("allowed")
    untested = f" ({allowed} checks not tested, which somebody has allowed)" if allowed else ""
    return f"{record.kind} of {record.at}{untested}, catalog {record.catalog_digest[:12]}"


_PROVE = "run fourfold prove TARGET --writes"
_LATER = "prove it with tests of your own; this version has no command for it"
_HOW: Mapping[str, str] = {
    "review": "run fourfold review TARGET",
    "lock": "run fourfold lock TARGET --reviewed-by NAME",
    "contract": _PROVE,
    "effect": _PROVE,
    "tenant": _PROVE,
    "protocol": _PROVE,
    "select": _LATER,
    "records": _LATER,
}
"""What makes each kind of evidence."""
