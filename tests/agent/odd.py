"""Connects to the odd server, and stands in for the people around a loop: who waits, who consents, who answers."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fourfold.agent import Correction, InputResponse, Intent, Question, Rules, ToolCaller, connect
from fourfold.contracts.lock import lock_of
from fourfold.edge.target import LiveTarget
from fourfold.errors import NoAnswer
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog, ListedTool, ToolAnswer
from fourfold.model.lock import CatalogLock
from fourfold.ports.target import Answering, Target

__all__ = ["Deaf", "Pauses", "Person", "caller_of", "corrected", "done_by", "locked", "odd"]

_SERVER = [sys.executable, str(Path(__file__).with_name("odd_server.py"))]


@asynccontextmanager
async def odd(*, timeout_s: float = 60.0) -> AsyncGenerator[LiveTarget]:
    """The odd server, started for this; `timeout_s` is for calls, not for starting it."""
    async with connect(_SERVER, timeout_s=60) as session:
        yield replace(session, timeout_s=timeout_s)


async def done_by(session: LiveTarget) -> tuple[dict[str, int], dict[str, int]]:
    """What the odd server has written and heard, by tool or key."""
    said: Any = (await session.call("written", {})).structured
    return said["written"], said["heard"]


async def locked(session: LiveTarget) -> CatalogLock:
    """The lock of a live server, as `fourfold lock` writes it."""
    tools = tuple(ListedTool(definition=each) for each in await session.tools())
    return lock_of(ListedCatalog(target=session.name, tools=tools))


@dataclass
class Deaf:
    """A connection to a real server that loses the answer to its first call, after the server has given it."""

    session: LiveTarget
    lost: ToolAnswer | None = None

    async def tools(self) -> Sequence[JsonObject]:
        """The server's own list."""
        return await self.session.tools()

    async def raw_call(self, tool: str, arguments: JsonObject, *, answering: Answering | None = None) -> ToolAnswer:
        """The server's answer, from the second on."""
        answer = await self.session.raw_call(tool, arguments, answering=answering)
        if self.lost is None:
            self.lost = answer
            raise NoAnswer("the connection is gone")
        return answer


@dataclass
class Pauses:
    """A clock that does not run: it takes note of what would have been waited, in seconds."""

    seconds: list[float] = field(default_factory=list[float])

    async def __call__(self, seconds: float) -> None:
        """Wait for no time."""
        self.seconds.append(seconds)


@dataclass
class Person:
    """Consents or not, answers with what it is given, and remembers what it was asked."""

    yes: bool = True
    says: list[InputResponse] = field(default_factory=list[InputResponse])
    intents: list[Intent] = field(default_factory=list[Intent])
    questions: list[str] = field(default_factory=list[str])

    async def consent(self, intent: Intent) -> bool:
        """The answer to a call that is about to be made."""
        self.intents.append(intent)
        return self.yes

    async def answer(self, question: Question) -> InputResponse:
        """The answer to a question of the server."""
        self.questions.append(question.message)
        return self.says.pop(0) if self.says else InputResponse(action="accept")


def corrected(change: Callable[[JsonObject], JsonObject | None], seen: list[Correction]) -> Any:
    """A model that corrects its arguments by `change`; what it was told goes into `seen`."""

    async def correct(correction: Correction) -> JsonObject | None:
        seen.append(correction)
        return change(correction.arguments)

    return correct


def caller_of(session: Target, *allow: str, **given: Any) -> ToolCaller:
    """A caller for these tools that waits for nothing."""
    rules = {name: given.pop(name) for name in ("effects", "lock", "consent") if name in given}
    pause = given.pop("pause", Pauses())
    return ToolCaller(session, Rules(allow=allow, **rules), pause=pause, **given)
