"""A proof as JSON (docs/schemas/proof.json)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from fourfold.model.proof import Proved, Verdict
from fourfold.report.proof_text import Command

__all__ = ["as_facts"]


def as_facts(proved: Proved, *, command: Command) -> Mapping[str, object]:
    """Every verdict, as one JSON object."""
    return {
        "target": proved.target,
        "revision": proved.revision,
        "seed": proved.seed,
        "strict": proved.strict,
        "allowed": list(proved.allowed),
        "fail_on": "warning" if proved.warnings_count else "failure",
        "checks": [{**asdict(check), "requires": list(check.requires)} for check in proved.checks],
        "verdicts": [_verdict(verdict, proved, command) for verdict in proved.verdicts],
        "summary": {
            "calls": proved.calls,
            "passed": proved.count("passed"),
            "failed": proved.count("failed"),
            "warned": proved.count("warned"),
            "not_tested": proved.count("not_tested"),
            "against": len(proved.against),
        },
    }


def _verdict(verdict: Verdict, proved: Proved, command: Command) -> Mapping[str, object]:
    return {
        **asdict(verdict),
        "allowed": verdict.status == "not_tested" and not proved.is_missing(verdict),
        "calls": [{**asdict(call), "command": command(call)} for call in verdict.calls],
    }
