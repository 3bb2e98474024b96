"""Calls that a server answers with a question: how to get one, what a person says to it, and what may not be taken."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from fourfold.model.asking import InputResponse
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.model.proof import SentCall
from fourfold.ports.target import Answering
from fourfold.prove.agreeing import agreement, state_of
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.books import Watch, watching
from fourfold.prove.candidates import candidates
from fourfold.prove.check import Broken, NotTested
from fourfold.prove.desk import FIRST, Desk, code_of
from fourfold.prove.keys import executes, key_argument, with_new_key
from fourfold.prove.pairs import planned
from fourfold.prove.peer import MODERN
from fourfold.review.answers import asks
from fourfold.review.view import ToolView

__all__ = ["Asked", "Misused", "answered", "asked", "may_ask", "require_refused_state", "require_taken", "watch_of"]

_TRIED = 4
_OF_OURS = 12
_ROUNDS = 4
_PLANS = 4
_PASSING = frozenset({"rate_limited", "too_busy", "deadline_exceeded", "in_progress"})
_STEP = "give a call that is answered with a question in [prove]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A call that was answered with a question.

    Attributes:
        state: the `requestState` that came with it.
        responses: what a person would say who agrees, by the keys of the questions.
        calls: those that led to it, the call itself last.
    """

    tool: ToolView
    arguments: JsonObject
    state: str
    responses: Mapping[str, InputResponse]
    calls: tuple[SentCall, ...]
    by: str = FIRST

    @property
    def answering(self) -> Answering:
        """The next round, as a good client sends it."""
        return Answering(state=self.state, responses=self.responses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Misused:
    """The next round as nobody may send it.

    Attributes:
        what: names it in a sentence: "a changed requestState".
        by_protocol: whether only a protocol error will do (2026-07-28, "Multi Round-Trip Requests").
    """

    what: str
    round: Asked
    by_protocol: bool = False


def may_ask(tool: ToolView) -> bool:
    """Whether a call of it may be answered with a question; a server that is not ours does not say."""
    contract = tool.tool.contract
    if contract is None or contract.questions:
        return True
    terms = contract.effect.plan
    return executes(tool) and terms is not None and terms.approval not in ("none", "second_person")


async def watch_of(desk: Desk) -> Watch:
    """What can be looked at; nothing, where nothing answers the same twice. That a call is taken shows all the same."""
    try:
        return await watching(desk)
    except NotTested:
        return Watch(desk=desk)


async def asked(
    watch: Watch, tool: ToolView, *, check: str, by: str = FIRST, unlike: JsonObject | None = None
) -> Asked:
    """Make a call that is answered with a question; one with other arguments than `unlike`, where that is given.

    Raises:
        NotTested: none was, or nothing that was asked can be answered here.
    """
    desk = watch.desk
    if desk.revision != MODERN:
        reason = f"the server speaks {desk.revision}, in which no answer is a question"
        raise NotTested(reason, next_step=f"serve {MODERN} as well")
    dice, said = desk.dice(check, tool.name), list[str]()
    calls = _executing(watch, tool, check=check, by=by) if executes(tool) else _calling(desk, tool, check=check, by=by)
    async for arguments, before in calls:
        if unlike is not None and _without_key(tool, arguments) == _without_key(tool, unlike):
            continue
        answer = await desk.call(tool.name, arguments, by=by, answering=Answering())
        if asks(answer):
            call = desk.sent_as(tool.name, arguments, by=by, beside="by a client that can show forms")
            said_to_it = agreement(answer, dice=dice)
            state, calls_made = state_of(answer), (*before, call)
            return Asked(tool=tool, arguments=arguments, state=state, responses=said_to_it, calls=calls_made, by=by)
        said.append("a success" if succeeded(answer) else in_short(answer))
    codes = ", ".join(dict.fromkeys(said)) or "nothing, since no arguments fit"
    raise NotTested(f"no call of it was answered with a question: the server answered {codes}", next_step=_STEP)


async def answered(desk: Desk, asking: Asked) -> ToolAnswer:
    """Say yes to what was asked, and to what is asked after it; the first answer that is no question."""
    dice, now = desk.dice("answered", asking.tool.name), asking
    for _ in range(_ROUNDS):
        answer = await desk.call(asking.tool.name, asking.arguments, by=asking.by, answering=now.answering)
        if not asks(answer):
            return answer
        now = replace(now, state=state_of(answer), responses=agreement(answer, dice=dice))
    raise NotTested(f"after {_ROUNDS} rounds the server still asks", next_step="let the questions come to an end")


async def require_refused_state(watch: Watch, misused: Misused) -> ToolAnswer:
    """Send a round that has to be refused, and return what it was refused with.

    Raises:
        Broken: it was taken, it had an effect, or it was refused in another way than it has to be.
        NotTested: the server had no time for it.
    """
    desk, sent, what = watch.desk, misused.round, misused.what
    name, before = sent.tool.name, await watch.look()
    calls = (*sent.calls, desk.sent_as(name, sent.arguments, by=sent.by, beside=f"with {what}"))
    answer = await desk.call(name, sent.arguments, by=sent.by, answering=sent.answering)
    if code_of(answer) in _PASSING:
        raise NotTested(f"the server answered {in_short(answer)}", next_step="run it when the server has less to do")
    if succeeded(answer):
        raise Broken(f"{what} is accepted", *calls)
    if await watch.look() != before:
        raise Broken(f"{what} is answered with {in_short(answer)}, and has an effect all the same", *calls)
    if misused.by_protocol and not answer.refusal:
        raise Broken(f"{what} is answered with {in_short(answer)}, which has to be a JSON-RPC error", *calls)
    return answer


async def require_taken(desk: Desk, asking: Asked) -> None:
    """Send the round as it has to be sent: what was refused before was refused for what was wrong with it.

    Raises:
        NotTested: this one does not get through either.
    """
    answer = await answered(desk, asking)
    # A catalog of ours gets this far when its handler answers, though what it reaches for may not be there.
    is_through = not answer.refusal if asking.tool.tool.contract is not None else succeeded(answer)
    if not is_through:
        raise NotTested(f"the right requestState is answered with {in_short(answer)}", next_step=_STEP)


_Call = tuple[JsonObject, tuple[SentCall, ...]]
"""Arguments, and the calls before."""


async def _executing(watch: Watch, tool: ToolView, *, check: str, by: str) -> AsyncIterator[_Call]:
    """Executions of plans that the person at the client has to agree to, each with the call that made the plan."""
    for turn in range(_PLANS):
        plan = await planned(watch, tool, check=f"{check} {turn}", agreed=False, by=by)
        if plan.approval == "caller":
            yield plan.arguments, (plan.call,)


def _without_key(tool: ToolView, arguments: JsonObject) -> JsonObject:
    return {name: value for name, value in arguments.items() if name != key_argument(tool)}


async def _calling(desk: Desk, tool: ToolView, *, check: str, by: str) -> AsyncIterator[_Call]:
    most = _TRIED if tool.tool.contract is None else _OF_OURS
    for arguments in islice(candidates(desk, tool, check=check, by=by), most):
        yield with_new_key(tool, arguments, desk=desk, dice=desk.dice(check, tool.name)), ()
