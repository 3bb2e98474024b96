"""What a proof leaves for the checklist: for each kind of evidence, how many verdicts of each status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fourfold.model.contract import JsonObject
from fourfold.model.proof import Family, Proved, Verdict
from fourfold.prove.registry import ENDED, all_checks

__all__ = ["evidence_of"]

_KINDS: Mapping[str, tuple[Family, ...]] = {
    "contract": ("contract", "paths"),
    "effect": ("effect",),
    "tenant": ("tenant",),
    "protocol": ("protocol",),
}
"""The families behind each kind of evidence."""


def evidence_of(proved: Proved, *, only: Sequence[str] = ()) -> Mapping[str, JsonObject]:
    """The results by kind.

    A kind of which only some checks ran is left out, unless one of them failed: what an earlier run has shown about
    the others still stands, a failure does not wait for them.
    """
    there = {check.family for check in all_checks()}
    found: dict[str, JsonObject] = {}
    for kind, families in _KINDS.items():
        # A server that ended has kept checks of every kind from running.
        verdicts = [it for it in proved.verdicts if it.family in families or it.check == ENDED.name]
        whole = there & {*families} and (not only or {*families} <= {*only})
        if whole or any(verdict.status == "failed" for verdict in verdicts):
            found[kind] = _results(verdicts, proved)
    return found


def _results(verdicts: Sequence[Verdict], proved: Proved) -> JsonObject:
    untested = [verdict for verdict in verdicts if verdict.status == "not_tested"]
    missing = [verdict for verdict in untested if proved.is_missing(verdict)]
    return {
        "seed": proved.seed,
        "passed": sum(verdict.status == "passed" for verdict in verdicts),
        "failed": sum(verdict.status == "failed" for verdict in verdicts),
        "warned": sum(verdict.status == "warned" for verdict in verdicts),
        "not_tested": len(missing),
        "allowed": len(untested) - len(missing),
    }
