"""A proof for the terminal: what failed and the calls that show it, a table, and what was not tested and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fourfold.model.proof import FAMILIES, CheckFacts, Proved, SentCall, Status, Verdict
from fourfold.report.text import Style

__all__ = ["Command", "as_text", "conclusion", "shortened", "verdict_line"]

Command = Callable[[SentCall], str]
"""Writes a call as a command that makes it again."""

_STYLES: dict[Status, str] = {"passed": "pass", "failed": "error", "warned": "warning", "not_tested": "warning"}
_SAID: dict[Status, str] = {"passed": "passed", "failed": "failed", "warned": "warned", "not_tested": "not tested"}
_NAMES_SHOWN = 8
_LONGEST = 1_000


def as_text(proved: Proved, *, style: Style, command: Command) -> Iterator[str]:
    """The lines of the report."""
    yield from _broken(proved, style, command)
    yield from _told(proved, style)
    yield from _table(proved, style)
    yield from _not_tested(proved, style)
    yield conclusion(proved)


def conclusion(proved: Proved) -> str:
    """The last line: how many verdicts of each kind, and how the same run is made again."""
    missing = sum(verdict.status == "not_tested" for verdict in proved.against)
    needed = f" ({missing} of them must be)" if missing else ""
    counts = ", ".join(f"{proved.count(status)} {word}" for status, word in _statuses(proved))
    return f"{counts}{needed}; {proved.calls} calls, seed {proved.seed}"


def _statuses(proved: Proved) -> list[tuple[Status, str]]:
    """The statuses that are counted; most servers have nothing to be warned of."""
    return [(status, word) for status, word in _SAID.items() if status != "warned" or proved.count("warned")]


def shortened(line: str) -> str:
    """A command as a person reads it; one of thousands of characters is cut, and says where it is whole."""
    if len(line) <= _LONGEST:
        return line
    return f"{line[:_LONGEST]}… ({len(line):,} characters; --format json has them all)"


def verdict_line(verdict: Verdict, *, style: Style) -> str:
    """One verdict, as it is told while the checks run."""
    about = f"{verdict.check} {verdict.tool}".rstrip()
    detail = f": {verdict.detail}" if verdict.detail else ""
    return f"{style(_STYLES[verdict.status], f'{_SAID[verdict.status]:10}')} {about}{detail}"


def _broken(proved: Proved, style: Style, command: Command) -> Iterator[str]:
    sentences = {check.name: check.proves for check in proved.checks}
    for status in ("warned", "failed"):
        for verdict in (each for each in proved.verdicts if each.status == status):
            yield f"{style(_STYLES[status], status)} {verdict.check} {verdict.tool}".rstrip()
            if verdict.check in sentences:
                yield f"  should hold: {sentences[verdict.check]}"
            yield f"  {verdict.detail}"
            yield from (f"  {shortened(command(call))}" for call in verdict.calls)
            yield ""


def _told(proved: Proved, style: Style) -> Iterator[str]:
    """What checks that passed have measured or counted on the way."""
    told = [verdict for verdict in proved.verdicts if verdict.status == "passed" and verdict.detail]
    if told:
        yield style("heading", "Seen on the way")
        yield from (f"  {f'{it.check} {it.tool}'.rstrip()}: {it.detail}" for it in told)
        yield ""


def _table(proved: Proved, style: Style) -> Iterator[str]:
    if not proved.checks:
        return
    width = max(len(check.name) for check in proved.checks)
    words = "  ".join(f"{word:>6}" for _, word in _statuses(proved))
    yield style("heading", f"{'tools by check':{width + 2}}  {words}")
    for family in FAMILIES:
        of_family = [check for check in proved.checks if check.family == family]
        if of_family:
            yield family
        yield from (f"  {check.name:{width}}  {_cells(proved, check)}" for check in of_family)
    yield ""


def _cells(proved: Proved, check: CheckFacts) -> str:
    found = [verdict.status for verdict in proved.verdicts if verdict.check == check.name]
    return "  ".join(f"{found.count(status):{max(6, len(word))}}" for status, word in _statuses(proved))


def _not_tested(proved: Proved, style: Style) -> Iterator[str]:
    """Each reason once, with what would mend it and the checks and tools that it is about."""
    untested = [verdict for verdict in proved.verdicts if verdict.status == "not_tested"]
    if untested:
        yield style("heading", "Not tested")
    for reason, step in dict.fromkeys((it.detail, it.next_step) for it in untested):
        yield f"  {style('warning', reason)}"
        yield f"    to test it: {step}"
        alike = [it for it in untested if (it.detail, it.next_step) == (reason, step)]
        for check in dict.fromkeys(it.check for it in alike):
            yield f"    {check}{_tools([it for it in alike if it.check == check], proved)}"
    if untested:
        yield ""


def _tools(verdicts: list[Verdict], proved: Proved) -> str:
    """The tools of one check that were not tested: a few by name, the rest as a number."""
    allowed = "" if any(map(proved.is_missing, verdicts)) else " (allowed)"
    names = [verdict.tool for verdict in verdicts if verdict.tool]
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return f"{': ' if names else ''}{', '.join(names[:_NAMES_SHOWN])}{more}{allowed}"
