"""Answers a run from the record of an earlier one. No server is there, and nothing is called."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast

import anyio

from fourfold.errors import ConfigError, StoreError, TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.model.plan import Verdict
from fourfold.ports.target import Answering
from fourfold.ports.wire import Transport, WireAnswer, WireTarget
from fourfold.prove.stand_ins import StandIns
from fourfold.prove.tape import (
    CUT,
    GIVEN_UP,
    HUNG_UP,
    RESTARTED,
    WRITTEN,
    call_of,
    decision_of,
    frame_of,
    key_of,
    said_in_short,
    tool_answer,
    tools_of,
    wire_answer,
)

__all__ = ["Replay", "ReplayedTarget", "ReplayedWire"]

_KINDS = {"StoreError": StoreError, "TargetError": TargetError}
"""What else than an answer may come of what is asked."""


@dataclass(slots=True, kw_only=True)
class Replay:
    """The answers of one record.

    Attributes:
        missed: what a run has asked that the record has no answer for. It is nobody's verdict, so it ends the run.
    """

    missed: ConfigError | None = None
    _answers: dict[str, deque[object]] = field(default_factory=lambda: defaultdict(deque))
    _stand_ins: StandIns = field(default_factory=StandIns)

    @classmethod
    def of(cls, entries: Iterable[JsonObject], *, after: JsonObject) -> Replay:
        """The answers by what was asked, in their order; `after` is what stands before all of them."""
        replay = cls()
        replay._stand_ins.clean(after)
        for entry in entries:
            replay._answers[key_of(entry["asked"])].append(entry["answer"])
        return replay

    async def answer(self, asked: JsonObject) -> JsonObject:
        """What was answered.

        Raises:
            ConfigError: it was not asked, or not so often.
            FourfoldError: the one that was raised instead of an answer.
        """
        said = self._next(asked)
        if GIVEN_UP in said:
            await anyio.sleep_forever()
        if "error" in said:
            raise _KINDS.get(str(said.get("kind")), TargetError)(str(said["error"]))
        return said

    def rows(self) -> int:
        """How many rows were written by then.

        Raises:
            ConfigError: nobody has looked so often.
        """
        return int(cast("int", self._next(WRITTEN)["rows"]))

    async def approve(self, plan_id: str, digest: str) -> None:
        """Let a plan be approved, as it was."""
        await self.refuse(plan_id, digest, verdict="approved")

    async def refuse(self, plan_id: str, digest: str, *, verdict: Verdict) -> None:
        """Let it be decided otherwise, as it was."""
        await self.answer(decision_of(plan_id, digest, verdict=verdict))

    async def restart(self) -> None:
        """Let the server be started again, as it was."""
        await self.answer(RESTARTED)

    def _next(self, asked: JsonObject) -> JsonObject:
        clean = cast("JsonObject", self._stand_ins.clean(asked))
        waiting = self._answers.get(key_of(clean))
        if not waiting:
            missed = ConfigError(
                f"the record holds no further {said_in_short(clean)}; it fits the version of Fourfold and the "
                "configuration that it was made with: record the run again"
            )
            self.missed = self.missed or missed
            raise missed
        return cast("JsonObject", self._stand_ins.clean(waiting.popleft()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedTarget:
    """One caller's connection; see `ports.target.Target`."""

    replay: Replay
    caller: str
    listed: Sequence[JsonObject]

    async def tools(self) -> Sequence[JsonObject]:
        """What the server listed, if it did."""
        await self.replay.answer(tools_of(self.caller))
        return self.listed

    async def raw_call(self, tool: str, arguments: JsonObject, *, answering: Answering | None = None) -> ToolAnswer:
        """The recorded answer; see `Replay.answer`."""
        asked = call_of(tool, arguments, caller=self.caller, answering=answering)
        return tool_answer(await self.replay.answer(asked), arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedWire:
    """The wire; see `ports.wire.WireTarget`."""

    replay: Replay
    transport: Transport
    revision: str
    has_token: bool

    async def exchange(
        self, frame: bytes, headers: Mapping[str, str | None] | None = None, *, method: str = "POST"
    ) -> WireAnswer:
        """The recorded answer; see `Replay.answer`."""
        return wire_answer(await self.replay.answer(frame_of(frame, headers or {}, method=method)))

    async def cut(
        self,
        frame: bytes,
        headers: Mapping[str, str | None] | None = None,
        *,
        after_s: float | None,  # noqa: ARG002  # nothing is there to wait for
    ) -> None:
        """Nothing, if the conversation was broken off there."""
        await self.replay.answer(frame_of(frame, headers or {}, method=CUT))

    async def hang_up(self) -> bool:
        """How the conversation ended."""
        return bool((await self.replay.answer(HUNG_UP))["ended"])

    @asynccontextmanager
    async def fresh(self) -> AsyncGenerator[WireTarget]:
        """The same record: what was asked over another connection stands in it too."""
        yield self
