"""Verdicts from what the official tools have said: the conformance suite, scenario by scenario, and the Inspector.

Most scenarios call tools, prompts and resources of the suite's own. A server that has none of them is not asked those.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from fourfold.model.proof import CheckFacts, Status, Verdict

__all__ = [
    "INSPECTOR",
    "SUITE",
    "ScenarioCheck",
    "inspector_verdict",
    "judged",
    "not_run",
    "scenario_facts",
    "suite_verdict",
]

SUITE = CheckFacts(
    name="official-conformance",
    family="protocol",
    proves="the scenarios of the official conformance suite pass that are about what the server has",
    requires=("https://github.com/modelcontextprotocol/conformance",),
)
INSPECTOR = CheckFacts(
    name="official-inspector",
    family="protocol",
    proves="the MCP Inspector lists the tools that are listed here",
    requires=("https://github.com/modelcontextprotocol/inspector",),
)

_FIXTURE = "test_simple_text"
"""A tool that whoever serves the suite's fixtures has."""

_OF_FIXTURES = ("tools-call-", "elicitation-", "input-required-result-", "json-schema-")
_NOT_ASKED = ("Not testable", "Method not found", "-32601", "Prerequisite failed")
"""How the suite says that the server has not what it looks for."""

_NO_RESULT = "wire-schema-valid"
"""A check that every scenario has, and that passes where nothing was said at all."""

_STATUSES: Mapping[str, Status] = {"SUCCESS": "passed", "WARNING": "warned", "FAILURE": "failed"}
_WORST: tuple[Status, ...] = ("failed", "warned", "passed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioCheck:
    """One check of a scenario, as the suite has written it down.

    Attributes:
        status: `SUCCESS`, `WARNING`, `FAILURE`, `SKIPPED` or `INFO`.
        message: what was wrong.
        sources: addresses in the specification.
    """

    name: str
    description: str
    status: str
    message: str = ""
    sources: tuple[str, ...] = ()

    @property
    def counts(self) -> Status | None:
        """What it says about the server; `None` if nothing."""
        if self.name == _NO_RESULT and self.status == "SUCCESS":
            return None
        is_asked = not any(words in self.message for words in _NOT_ASKED)
        return _STATUSES.get(self.status) if is_asked else None


def judged(
    revision: str, scenarios: Mapping[str, Sequence[ScenarioCheck]], *, tools: Collection[str]
) -> list[tuple[CheckFacts, Verdict]]:
    """A verdict for each scenario that was about something that the server has; `tools` are its tools."""
    found: list[tuple[CheckFacts, Verdict]] = []
    for scenario, checks in scenarios.items():
        said = checks if _FIXTURE in tools or not scenario.startswith(_OF_FIXTURES) else ()
        status = _status(said)
        if status is not None:
            facts = scenario_facts(revision, scenario, checks=said)
            wrong = [check.message or check.description for check in said if check.counts == status != "passed"]
            found.append((facts, _verdict(facts, status, detail="; ".join(wrong))))
    return found


def _status(checks: Sequence[ScenarioCheck]) -> Status | None:
    """The worst of what checks say; a warning beside what could not be asked is about that, and says nothing."""
    said = {check.counts for check in checks}
    if None in {check.counts for check in checks if check.status in ("WARNING", "FAILURE")}:
        said.discard("warned")
    return next((status for status in _WORST if status in said), None)


def scenario_facts(revision: str, scenario: str, *, checks: Sequence[ScenarioCheck]) -> CheckFacts:
    """What a report says of a scenario."""
    sources = dict.fromkeys(source for check in checks for source in check.sources)
    return CheckFacts(
        name=f"official-{revision}-{scenario}",
        family="protocol",
        proves=f"the scenario {scenario} of the official suite passes at {revision}",
        requires=tuple(sources) or SUITE.requires,
    )


def suite_verdict(asked: Mapping[str, tuple[int, int]]) -> Verdict:
    """What the suite as a whole could ask: by revision, how many scenarios of how many."""
    shares = [f"{some} of {every} scenarios of {revision}" for revision, (some, every) in asked.items()]
    if not any(some for some, _ in asked.values()):
        return not_run(SUITE, "none of its scenarios is about what the server has", step="serve what its fixtures are")
    return _verdict(SUITE, "passed", detail=f"asked: {', '.join(shares)}; the others are about its own fixtures")


def inspector_verdict(names: Sequence[str], *, listed: Sequence[str]) -> Verdict:
    """Whether the Inspector lists what is listed here."""
    if sorted(names) == sorted(listed):
        return _verdict(INSPECTOR, "passed", detail="")
    other = ", ".join(sorted({*names} ^ {*listed})) or "a name that stands there twice"
    return _verdict(INSPECTOR, "failed", detail=f"the Inspector lists {len(names)} of {len(listed)} tools: {other}")


def not_run(facts: CheckFacts, reason: str, *, step: str) -> Verdict:
    """Why an official tool said nothing, and what would change it."""
    return Verdict(check=facts.name, family=facts.family, tool="", status="not_tested", detail=reason, next_step=step)


def _verdict(facts: CheckFacts, status: Status, *, detail: str) -> Verdict:
    return Verdict(check=facts.name, family=facts.family, tool="", status=status, detail=detail)
