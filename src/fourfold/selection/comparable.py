"""Whether two results may be compared: where more than one thing differs, nobody knows what made the difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fourfold.errors import ConfigError
from fourfold.model.scored import Rule
from fourfold.model.selected import RunFacts

__all__ = [
    "Comparable",
    "Difference",
    "ToolChanges",
    "differences",
    "facts_differing",
    "refuse_incomparable",
    "tool_changes",
]

_KINDS: Mapping[str, Sequence[str]] = {
    "suite": ("suite", "cases"),
    "catalog": ("catalog", "tools"),
    "chooser": ("chooser",),
    "system prompt": ("system",),
    "sampling": ("samples", "temperature", "max_tokens"),
    "scorer": ("scorer",),
}
"""Facts of which one never differs without the others, or which are turned together, are one thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing in which two results differ, and how, for a reader."""

    kind: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolChanges:
    """The tools that are new, gone, and told of in other words or with other arguments."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    def __str__(self) -> str:
        named = (("added", self.added), ("removed", self.removed), ("changed", self.changed))
        return "; ".join(f"{word} {', '.join(tools)}" for word, tools in named if tools)


class Comparable(Protocol):
    """What says whether two results may be compared, whether they were read from a file or from a store."""

    @property
    def facts(self) -> RunFacts:
        """What the result depends on."""
        ...

    @property
    def models(self) -> tuple[str, ...]:
        """The models and versions that have answered."""
        ...

    @property
    def rule(self) -> Rule:
        """The rule that scored it."""
        ...


def differences(before: Comparable, after: Comparable) -> tuple[Difference, ...]:
    """The things in which two results differ."""
    found = facts_differing(before.facts, after.facts)
    # The same name may stand for another model tomorrow: then the model is what differs.
    if before.facts.chooser == after.facts.chooser and before.models != after.models:
        said = " to ".join(", ".join(models) or "(unknown)" for models in (before.models, after.models))
        found.append(Difference(kind="model version", detail=said))
    if before.rule != after.rule:
        found.append(Difference(kind="rule", detail=f"{before.rule} to {after.rule}"))
    return tuple(found)


def facts_differing(before: RunFacts, after: RunFacts) -> list[Difference]:
    """The things in which the facts of two runs differ."""
    names = set(before.differing(after))
    return [
        Difference(kind=kind, detail=_detail(kind, before, after))
        for kind, members in _KINDS.items()
        if names.intersection(members)
    ]


def refuse_incomparable(found: Sequence[Difference], *, before: str, after: str) -> None:
    """Refuse a comparison where more than one thing differs.

    Raises:
        ConfigError: it does; the message says which.
    """
    if len(found) > 1:
        said = "; ".join(f"{each.kind} ({each.detail})" for each in found)
        raise ConfigError(
            f"{before} and {after} differ in {len(found)} things, so that nobody could tell which made a difference: "
            f"{said}. Change one at a time, or compare all the same with --force"
        )


def tool_changes(before: RunFacts, after: RunFacts) -> ToolChanges:
    """Which tools differ between two runs."""
    earlier, later = before.tools, after.tools
    return ToolChanges(
        added=tuple(sorted({*later} - {*earlier})),
        removed=tuple(sorted({*earlier} - {*later})),
        changed=tuple(sorted(name for name in {*earlier} & {*later} if earlier[name] != later[name])),
    )


def _detail(kind: str, before: RunFacts, after: RunFacts) -> str:
    match kind:
        case "catalog":
            return str(tool_changes(before, after))
        case "suite":
            return f"{before.cases} to {after.cases} cases" if before.cases != after.cases else "cases were edited"
        case "system prompt":
            return "another one, or none"
        case "chooser":
            return f"{before.chooser} to {after.chooser}"
        case _:
            changed = [name for name in _KINDS[kind] if getattr(before, name) != getattr(after, name)]
            return ", ".join(
                f"{name} {getattr(before, name) or '(none)'} to {getattr(after, name) or '(none)'}" for name in changed
            )
