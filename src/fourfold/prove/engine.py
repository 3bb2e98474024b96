"""Runs the checks against a server and collects their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fourfold.errors import TargetError
from fourfold.model.proof import CheckFacts, Proved, Status, Verdict
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk, OutOfCalls, is_read
from fourfold.prove.learn import learn
from fourfold.prove.registry import all_checks
from fourfold.review.view import ToolView

__all__ = ["Selection", "items", "prove", "run_check"]


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

    Raises:
        TargetError: the server ended or does not answer any more; the verdicts until then went to `progress`.
    """
    await learn(desk)
    verdicts: list[Verdict] = []
    checks: dict[str, CheckFacts] = {}
    for check, tool in items(desk, selection):
        verdict = await run_check(check, desk, tool=tool)
        progress(verdict)
        verdicts.append(verdict)
        checks[check.name] = check.facts
    return Proved(
        target=desk.catalog.target,
        revision=revision,
        seed=desk.seed,
        verdicts=tuple(verdicts),
        checks=tuple(checks.values()),
    )


async def run_check(check: Check, desk: Desk, *, tool: ToolView) -> Verdict:
    """The verdict of one check about one tool.

    Raises:
        TargetError: the server ended or does not answer any more.
    """
    missing = _missing(check, desk, tool)
    if missing is not None:
        return _verdict(check, tool, "not_tested", detail=missing.reason, next_step=missing.next_step)
    before = desk.sent
    try:
        said = await check.run(desk, tool)
    except Broken as broken:
        return _verdict(check, tool, "failed", detail=broken.detail, calls=broken.calls, tried=desk.sent - before)
    except NotTested as untested:
        detail, step = untested.reason, untested.next_step
        return _verdict(check, tool, "not_tested", detail=detail, next_step=step, tried=desk.sent - before)
    except OutOfCalls:
        detail, step = f"the {desk.max_calls} calls that are allowed were used up", "allow more with --max-calls"
        return _verdict(check, tool, "not_tested", detail=detail, next_step=step, tried=desk.sent - before)
    except TargetError as error:
        raise TargetError(f"{check.name} of {tool.name}: {error}") from error
    return _verdict(check, tool, "passed", detail=said or "", tried=desk.sent - before)


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
