"""What makes the figures of a suite say less than they seem to: cases that words alone solve, and cases given away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from fourfold.contracts.names import words
from fourfold.model.case import Case
from fourfold.model.chosen import OfferedTool, Sampling
from fourfold.selection.baselines import Bm25Chooser, last_user_text
from fourfold.selection.tally import Rate

__all__ = ["TOO_EASY", "leaks", "lexical_rate", "remarks_on"]

TOO_EASY = 0.95
"""The share of calls that the lexical baseline may get right, up to which a suite says something about a model."""

_LEAST = 10
_RUN = 8
"""Words in a row that a case and a description have in common by no chance; a shorter text must be there whole."""

_SHORTEST = 4


async def remarks_on(cases: Sequence[Case], tools: Sequence[OfferedTool]) -> list[str]:
    """What a reader should know of the suite itself, as sentences."""
    remarks: list[str] = []
    rate = await lexical_rate(cases, tools)
    if rate.counted >= _LEAST and rate.passed >= TOO_EASY * rate.counted:
        remarks.append(
            f"the suite is too easy: counting words alone finds the tool of {rate.passed} of {rate.counted} calls; "
            "add near neighbours"
        )
    found = [f"{case} in {tool}" for case, tool in leaks(cases, tools)]
    if found:
        remarks.append(f"the text of a case stands in a description, which makes it an easy one: {', '.join(found)}")
    return remarks


async def lexical_rate(cases: Sequence[Case], tools: Sequence[OfferedTool]) -> Rate:
    """How many of the cases that want a call the lexical baseline finds the tool of."""
    # One chooser for all: it counts the words of the tools once.
    chooser, found = Bm25Chooser(), 0
    calling = [case for case in cases if case.expect.calls]
    for case in calling:
        choice = await chooser.choose(case.messages, tools, sampling=Sampling())
        found += {call.name for call in choice.calls} <= {call.name for call in case.expect.calls} and bool(
            choice.calls
        )
    return Rate(name="bm25", passed=found, counted=len(calling), interval=None)


def leaks(cases: Sequence[Case], tools: Sequence[OfferedTool]) -> Iterator[tuple[str, str]]:
    """The ids of cases whose text stands in what a model is told of a tool, with the tool's name."""
    told = [(tool.name, _words(" . ".join(_texts(tool)))) for tool in tools]
    texts = [(name, frozenset(found), f" {' '.join(found)} ") for name, found in told]
    for case in cases:
        runs = [*_runs(_words(last_user_text(case.messages)))]
        # Most texts lack one of the words, which a set tells sooner than a search does.
        yield from (
            (case.id, name)
            for name, known, text in texts
            if any(known.issuperset(run) and f" {' '.join(run)} " in text for run in runs)
        )


def _runs(found: Sequence[str]) -> Iterator[Sequence[str]]:
    if _SHORTEST <= len(found) <= _RUN:
        yield found
    elif len(found) > _RUN:
        yield from (found[at : at + _RUN] for at in range(len(found) - _RUN + 1))


def _words(text: str) -> list[str]:
    return [word for each in text.split() for word in words(each)]


def _texts(tool: OfferedTool) -> Iterator[str]:
    yield tool.description
    yield from _described(tool.input_schema)


def _described(value: object) -> Iterator[str]:
    """Every text of a schema that is for readers."""
    if isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, object]", value).items():
            if key == "description" and isinstance(inner, str):
                yield inner
            else:
                yield from _described(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _described(inner)
