"""Keeps everything that a run asks of a server, and what it gets: between the desk and the ports of the server."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

import anyio

from fourfold.errors import FourfoldError
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.model.plan import Verdict
from fourfold.ports.target import Answering, Target
from fourfold.ports.wire import Transport, WireAnswer, WireTarget
from fourfold.prove.desk import Desk, Refuse
from fourfold.prove.stand_ins import StandIns
from fourfold.prove.tape import (
    CUT,
    GIVEN_UP,
    HUNG_UP,
    RESTARTED,
    WRITTEN,
    answer_of,
    call_of,
    decision_of,
    frame_of,
    tools_of,
    wire_answer_of,
)

__all__ = ["Recorder", "recorded"]

_A = TypeVar("_A")


@dataclass(slots=True, kw_only=True)
class Recorder:
    """Takes down one run.

    Attributes:
        keep: takes one entry, which is JSON and holds no credential.
    """

    keep: Callable[[JsonObject], None]
    _stand_ins: StandIns = field(default_factory=StandIns)

    async def note(self, asked: JsonObject, answer: Awaitable[_A], *, as_json: Callable[[_A], object]) -> _A:
        """Wait for an answer and keep it, or keep why there was none."""
        # Cleaned before the answer is there: a replay sees the two in this order.
        clean = self._stand_ins.clean(asked)
        try:
            got = await answer
        except FourfoldError as error:
            self._keep(clean, {"error": str(error), "kind": type(error).__name__})
            raise
        except anyio.get_cancelled_exc_class():
            self._keep(clean, {GIVEN_UP: True})
            raise
        self._keep(clean, as_json(got))
        return got

    def clean(self, value: object) -> object:
        """A value without what has to be hidden."""
        return self._stand_ins.clean(value)

    def note_count(self, count: int) -> int:
        """Keep how many rows were written."""
        self._keep(WRITTEN, {"rows": count})
        return count

    def _keep(self, asked: object, answer: object) -> None:
        self.keep({"asked": asked, "answer": self._stand_ins.clean(answer)})


def recorded(desk: Desk, recorder: Recorder) -> Desk:
    """The same desk, with a recorder between it and the server."""
    seats = {
        name: replace(seat, target=_Target(recorder=recorder, caller=name, target=seat.target))
        for name, seat in desk.seats.items()
    }
    counter, approve, refuse, restart = desk.counter, desk.approve, desk.refuse, desk.restart
    return replace(
        desk,
        seats=seats,
        wire=None if desk.wire is None else _Wire(recorder=recorder, wire=desk.wire),
        counter=None if counter is None else lambda: recorder.note_count(counter()),
        approve=None if approve is None else _Deciding(recorder=recorder, approve=approve).say_yes,
        refuse=None if refuse is None else _Deciding(recorder=recorder, refuse=refuse).say_no,
        restart=None if restart is None else lambda: recorder.note(RESTARTED, restart(), as_json=_nothing),
    )


def _nothing(_: object) -> JsonObject:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deciding:
    """Somebody who decides about plans, and what they are asked for."""

    recorder: Recorder
    approve: Callable[[str, str], Awaitable[None]] | None = None
    refuse: Refuse | None = None

    async def say_yes(self, plan_id: str, digest: str) -> None:
        """Agree, and keep it."""
        if self.approve is not None:
            asked = decision_of(plan_id, digest, verdict="approved")
            await self.recorder.note(asked, self.approve(plan_id, digest), as_json=_nothing)

    async def say_no(self, plan_id: str, digest: str, *, verdict: Verdict) -> None:
        """Refuse, and keep it."""
        if self.refuse is not None:
            asked = decision_of(plan_id, digest, verdict=verdict)
            await self.recorder.note(asked, self.refuse(plan_id, digest, verdict=verdict), as_json=_nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """One caller's connection; see `ports.target.Target`."""

    recorder: Recorder
    caller: str
    target: Target

    async def tools(self) -> Sequence[JsonObject]:
        """What the server lists. The head of the record holds it, so that only a failure is new."""
        return await self.recorder.note(tools_of(self.caller), self.target.tools(), as_json=_nothing)

    async def raw_call(self, tool: str, arguments: JsonObject, *, answering: Answering | None = None) -> ToolAnswer:
        """Call, and keep it."""
        asked = call_of(tool, arguments, caller=self.caller, answering=answering)
        call = self.target.raw_call(tool, arguments, answering=answering)
        return await self.recorder.note(asked, call, as_json=answer_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wire:
    """The wire; see `ports.wire.WireTarget`."""

    recorder: Recorder
    wire: WireTarget

    @property
    def transport(self) -> Transport:
        """That of the wire."""
        return self.wire.transport

    @property
    def revision(self) -> str:
        """That of the wire."""
        return self.wire.revision

    @property
    def has_token(self) -> bool:
        """Whether the wire has one."""
        return self.wire.has_token

    async def exchange(
        self, frame: bytes, headers: Mapping[str, str | None] | None = None, *, method: str = "POST"
    ) -> WireAnswer:
        """Send a frame, and keep it."""
        answer = self.wire.exchange(frame, headers, method=method)
        return await self.recorder.note(frame_of(frame, headers or {}, method=method), answer, as_json=wire_answer_of)

    async def cut(
        self, frame: bytes, headers: Mapping[str, str | None] | None = None, *, after_s: float | None
    ) -> None:
        """Send a frame and break off, and keep that."""
        asked = frame_of(frame, headers or {}, method=CUT)
        await self.recorder.note(asked, self.wire.cut(frame, headers, after_s=after_s), as_json=_nothing)

    async def hang_up(self) -> bool:
        """End the conversation, and keep how it ended."""
        return await self.recorder.note(HUNG_UP, self.wire.hang_up(), as_json=lambda ended: {"ended": ended})

    @asynccontextmanager
    async def fresh(self) -> AsyncGenerator[WireTarget]:
        """Another connection, which is kept as well."""
        async with self.wire.fresh() as wire:
            yield _Wire(recorder=self.recorder, wire=wire)
