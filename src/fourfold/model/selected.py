"""A result of a selection suite as it is kept: what it depends on, and how often each tool was chosen rightly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from fourfold.model.scored import Reason, Rule

__all__ = ["KeptResult", "RunFacts", "ToolScore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What a result depends on. Two results may be compared where one of these differs, and no more.

    Attributes:
        suite: digest of the cases.
        cases: how many they are.
        samples: of each case.
        chooser: its name, such as `openai:MODEL` or `bm25`.
        catalog: digest of all tools; `tools` of each by its name.
        system: digest of the instructions; empty if the cases bring their own.
        temperature, max_tokens: as the model was asked.
        scorer: version of the rules that score.
    """

    suite: str
    cases: int
    samples: int
    chooser: str
    catalog: str
    tools: Mapping[str, str]
    system: str
    temperature: str
    max_tokens: int
    scorer: str

    def differing(self, other: RunFacts) -> list[str]:
        """The names of the facts that are not the same."""
        return [each.name for each in fields(self) if getattr(self, each.name) != getattr(other, each.name)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolScore:
    """How one tool was chosen in a result.

    Attributes:
        tool: that the cases want first; `(none)` of those that want none.
        version: of its contract; empty where nobody knows it.
        cases: how many have a verdict; most samples of `cases_right` of them pass. What an interval is made from.
        samples: how many count; `right` of them pass by the rule of the result.
        exact, lenient: how many of them pass by these rules; `None` where they were not scored by it.
        wrong_tool, no_call: how many got another tool, or none.
        calls: of this tool, in whatever case; `forbidden` of them the case forbids, and `authority` of them had an
            argument that is not for a model to set.
        reasons: how often each was the first thing that is wrong.
    """

    tool: str
    version: str = ""
    cases: int = 0
    cases_right: int = 0
    samples: int = 0
    right: int = 0
    exact: int | None = None
    lenient: int | None = None
    wrong_tool: int = 0
    no_call: int = 0
    calls: int = 0
    forbidden: int = 0
    authority: int = 0
    reasons: Mapping[Reason, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResult:
    """A result without its answers.

    Attributes:
        result_id: a digest of the rest, so that the same result is kept once.
        name: what the user calls it: the name of its file; empty without one.
        suite: the name of the suite's file; empty where nobody knows it.
        at: when it was scored, ISO 8601 in UTC.
        models: the models and versions that the provider says have answered, sorted.
        cases: how many have a verdict; most samples of `cases_right` of them pass.
        tools: in the order of their names.
    """

    result_id: str
    name: str
    suite: str
    at: str
    rule: Rule
    facts: RunFacts
    models: tuple[str, ...]
    cases: int
    cases_right: int
    tools: tuple[ToolScore, ...]
