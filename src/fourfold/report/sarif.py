"""A review as SARIF 2.1.0 (OASIS Standard, 27 March 2020), for code hosts that show findings beside a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fourfold.model.finding import Finding, Reviewed, RuleFacts, Severity

__all__ = ["as_sarif", "sarif_log"]

_LEVELS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "advice": "note"}

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def as_sarif(reviewed: Reviewed, *, version: str, artifact: str | None = None) -> Mapping[str, object]:
    """The review as one SARIF log.

    Args:
        reviewed: the review.
        version: of Fourfold.
        artifact: the file that holds the catalog, relative to the root of the repository, where there is one.
    """
    index = {rule.id: number for number, rule in enumerate(reviewed.rules)}
    rules = [_rule(rule) for rule in reviewed.rules]
    results = [_result(finding, index[finding.id], artifact) for finding in reviewed.findings]
    return sarif_log("fourfold review", version=version, rules=rules, results=results)


def sarif_log(
    name: str, *, version: str, rules: Sequence[Mapping[str, object]], results: Sequence[Mapping[str, object]]
) -> Mapping[str, object]:
    """A log of one run of the tool of that name."""
    driver = {"name": name, "version": version, "rules": rules}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _rule(rule: RuleFacts) -> dict[str, object]:
    return {
        "id": rule.id,
        "name": rule.symbol,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(finding: Finding, rule_index: int, artifact: str | None) -> dict[str, object]:
    place = f"{finding.tool}{finding.pointer}" if finding.tool else finding.pointer
    location: dict[str, object] = {"logicalLocations": [{"fullyQualifiedName": place, "kind": "member"}]}
    if artifact is not None:
        location["physicalLocation"] = {"artifactLocation": {"uri": artifact}, "region": {"startLine": 1}}
    return {
        "ruleId": finding.id,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message}. Fix: {finding.fix}."},
        "locations": [location],
        # The same fault in the next run is the same one, wherever it stands in the list.
        "partialFingerprints": {"fourfold/v1": f"{finding.id}:{place}:{finding.pair or ''}"},
    }
