"""A proof as SARIF 2.1.0: failures and warnings as results, what had to be tested and was not as open questions."""

from __future__ import annotations

from collections.abc import Mapping

from fourfold.model.proof import CheckFacts, Proved, Verdict
from fourfold.report.proof_text import Command
from fourfold.report.sarif import sarif_log

__all__ = ["as_sarif"]

_LEVELS = {"failed": "error", "warned": "warning"}


def as_sarif(proved: Proved, *, version: str, command: Command) -> Mapping[str, object]:
    """The proof as one SARIF log; `version` is Fourfold's."""
    rules = [_rule(check) for check in proved.checks]
    shown = [it for it in proved.verdicts if it.status == "warned" or it in proved.against]
    results = [_result(verdict, command) for verdict in shown]
    return sarif_log("fourfold prove", version=version, rules=rules, results=results)


def _rule(check: CheckFacts) -> Mapping[str, object]:
    sources = [each for each in check.requires if each.startswith("https://")]
    link = {"helpUri": sources[0]} if sources else {}
    return {"id": check.name, "shortDescription": {"text": check.proves}, **link}


def _result(verdict: Verdict, command: Command) -> Mapping[str, object]:
    is_failure = verdict.status in _LEVELS
    more = [command(call) for call in verdict.calls] if is_failure else [f"To test it: {verdict.next_step}."]
    return {
        "ruleId": verdict.check,
        # Of SARIF's kinds, `open` is what was not decided; only what failed has a level (3.27.9).
        "kind": "fail" if is_failure else "open",
        "level": _LEVELS.get(verdict.status, "none"),
        "message": {"text": "\n".join([f"{verdict.detail}.", *more])},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": verdict.tool or "server", "kind": "member"}]}],
        "partialFingerprints": {"fourfold/v1": f"{verdict.check}:{verdict.tool}"},
    }
