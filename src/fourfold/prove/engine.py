"""Runs the checks against a server and collects their verdicts."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from fourfold.errors import FourfoldError, TargetError
from fourfold.model.proof import CheckFacts, Proved, Status, Verdict
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, OutOfCalls, is_read
from fourfold.prove.learn import learn
from fourfold.prove.registry import ENDED, all_checks
from fourfold.review.view import ToolView

__all__ = ["Selection", "items", "prove", "run_check", "unanswered"]

_UNANSWERED = 5
"""Calls that a server may leave without an answer: each one takes as long as a client waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which checks run, on which tools; nothing named means everything. Names are those of checks, families, tools."""

    only: tuple[str, ...] = ()

    def takes(self, check: Check, tool: ToolView) -> bool:
        """Whether a check of a tool is wanted."""
        return not self.only or bool({check.name, check.family, tool.name} & set(self.only))


_EVERYTHING = Selection()


def items(desk: Desk, selection: Selection = _EVERYTHING) -> Iterator[tuple[Check, ToolView]]:
    """What there is to check, in order: a check of the server as a whole once, the others for each tool."""
    view = desk.view
    for check in all_checks():
        if desk.wire is not None and check.transport not in (None, desk.wire.transport):
            continue
        about = [tool for tool in view.tools if check.applies(tool) and check.fits(view, tool)]
        fitting = [tool for tool in about if selection.takes(check, tool)]
        for tool in fitting[:1] if check.whole else fitting:
            yield check, tool


async def prove(
    desk: Desk,
    *,
    revision: str,
    selection: Selection = _EVERYTHING,
    progress: Callable[[Verdict], None] = lambda _: None,
) -> Proved:
    """Run every check. The same server, seed and selection give the same calls.

    A call that is not answered is a verdict of its own, and the run goes on as long as the server answers others.

    Raises:
        TargetError: the server ended or does not answer any more; the verdicts until then went to `progress`.
    """
    await learn(desk)
    verdicts: list[Verdict] = []
    checks: dict[str, CheckFacts] = {}
    for check, tool in items(desk, selection):
        for verdict in await _verdicts(check, desk, tool=tool):
            progress(verdict)
            verdicts.append(verdict)
        checks[check.name] = check.facts
        if sum(verdict.check == ENDED.name for verdict in verdicts) > _UNANSWERED:
            raise TargetError(f"{desk.catalog.target} left more than {_UNANSWERED} calls without an answer")
    if any(verdict.check == ENDED.name for verdict in verdicts):
        checks[ENDED.name] = ENDED
    return Proved(
        target=desk.catalog.target,
        revision=revision,
        seed=desk.seed,
        verdicts=tuple(verdicts),
        checks=tuple(checks.values()),
    )


async def _verdicts(check: Check, desk: Desk, *, tool: ToolView) -> list[Verdict]:
    """The verdict of one check about one tool; two if a call of it was not answered.

    Raises:
        FourfoldError: the server does not answer any more, or the run cannot go on for another reason that has a name.
    """
    try:
        return [await run_check(check, desk, tool=tool)]
    except TargetError as error:
        if not await desk.still_answers():
            raise
        step = "let the server answer every call in time"
        untested = _verdict(check, tool, "not_tested", detail="a call of it was not answered", next_step=step)
        return [unanswered(desk, error), untested]
    except FourfoldError:
        raise
    except Exception as error:  # a bug of ours in one check must not cost what the others found out
        step = "nothing; report it to us with this line"
        return [_verdict(check, tool, "not_tested", detail=_bug(error), next_step=step, crashed=True)]


def unanswered(desk: Desk, error: TargetError) -> Verdict:
    """What a server has failed that did not answer the newest call."""
    calls = (desk.last,) if desk.last else ()
    return Verdict(check=ENDED.name, family=ENDED.family, tool="", status="failed", detail=str(error), calls=calls)


def _bug(error: Exception) -> str:
    """What somebody who mends it has to know: what was raised, and where in our own code."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"the check has a bug: {type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


async def run_check(check: Check, desk: Desk, *, tool: ToolView) -> Verdict:
    """The verdict of one check about one tool.

    Raises:
        TargetError: a call was not answered.
    """
    missing = _missing(check, desk, tool)
    if missing is not None:
        return _verdict(check, tool, "not_tested", detail=missing.reason, next_step=missing.next_step)
    before = desk.sent
    try:
        said = await check.run(desk, tool)
    except Exception as error:
        verdict = _found(check, tool, _cause(error), most=desk.max_calls)
    else:
        verdict = _verdict(check, tool, "passed", detail=said or "")
    return replace(verdict, tried=desk.sent - before)


def _found(check: Check, tool: ToolView, error: Exception, *, most: int) -> Verdict:
    """The verdict that a check has raised.

    Raises:
        Exception: `error` itself, if it is no verdict.
    """
    match error:
        case Broken():
            status = "warned" if "should" in (check.weight, error.weight) else "failed"
            return _verdict(check, tool, status, detail=error.detail, calls=error.calls)
        case NotTested():
            return _verdict(check, tool, "not_tested", detail=error.reason, next_step=error.next_step)
        case OutOfCalls():
            detail, step = f"the {most} calls that are allowed were used up", "allow more with --max-calls"
            return _verdict(check, tool, "not_tested", detail=detail, next_step=step)
        case TargetError():
            raise TargetError(f"{check.name} of {tool.name}: {error}") from error
        case _:
            raise error


def _cause(error: Exception) -> Exception:
    """What was raised, without the groups that calls at once wrap it in."""
    while isinstance(error, ExceptionGroup):
        error = cast("ExceptionGroup[Exception]", error).exceptions[0]
    return error


def _missing(check: Check, desk: Desk, tool: ToolView) -> NotTested | None:
    """Why a check cannot run here at all."""
    if check.writes and not desk.writes:
        return NotTested("it calls tools that write", next_step="allow it with --writes, on data that may be lost")
    if not check.whole and not desk.writes and not is_read(tool):
        return NotTested("nothing says that the tool only reads", next_step="allow it with --writes")
    if check.callers > len(desk.seats):
        return NotTested("it takes two callers of different tenants", next_step="name them with --callers FILE")
    return None


def _verdict(check: Check, tool: ToolView, status: Status, **more: object) -> Verdict:
    named = "" if check.whole else tool.name
    return Verdict(check=check.name, family=check.family, tool=named, status=status, **more)  # pyright: ignore[reportArgumentType]  # the fields of a verdict
