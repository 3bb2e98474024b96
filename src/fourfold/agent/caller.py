"""`ToolCaller`: between an agent loop and a server. It decides whether a call is made; `operation` makes it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

import anyio

from fourfold.agent.hooks import Answer, Correct, Intent, Pause
from fourfold.agent.listing import (
    KEY_ARGUMENT,
    Listing,
    OfferedTool,
    is_known_again,
    offered,
    pins_of_list,
    pins_of_lock,
    takes_key,
)
from fourfold.agent.operation import Operation
from fourfold.agent.outcome import Stopped, ToolOutcome
from fourfold.agent.patience import Patience
from fourfold.agent.rules import FREE, Rules
from fourfold.agent.stops import stopped
from fourfold.errors import TargetError
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedTool
from fourfold.ports.target import Target

__all__ = ["ToolCaller"]


class ToolCaller:
    """Calls the tools of one server for one agent loop, within its rules.

    Args:
        session: the server; `fourfold.agent.connect` and `fourfold.agent.over` make one.
        rules: what may be called.
        correct: gives arguments as the model has corrected them, once a call. Without it, none are corrected.
        answer: puts a question to the person at the client. Without it, the server is told that nobody can be asked.
        patience: how long one call is gone on with.
        pause: waits so many seconds.
    """

    def __init__(
        self,
        session: Target,
        rules: Rules,
        *,
        correct: Correct | None = None,
        answer: Answer | None = None,
        patience: Patience | None = None,
        pause: Pause = anyio.sleep,
    ) -> None:
        self._session = session
        self._rules = rules
        self._correct = correct
        self._answer = answer
        self._patience = patience or Patience()
        self._pause = pause
        self._pins: Mapping[str, str] | None = None if rules.lock is None else pins_of_lock(rules.lock)
        self._listing: Listing | None = None

    async def tools(self) -> tuple[OfferedTool, ...]:
        """The tools that may be shown to the model, listed anew: allowed, and as they were reviewed.

        Raises:
            TargetError: the server failed, or its list does not end.
        """
        listing = await self._list()
        names = [name for name in listing.tools if self._rules.allows(name) and listing.objection_to(name) is None]
        return tuple(offered(listing.tools[name], effect=self._rules.effect_of(name)) for name in names)

    async def call(self, tool: str, arguments: JsonObject, *, key: str | None = None) -> ToolOutcome:
        """Make one call: one operation, however often it has to be sent.

        Args:
            tool: its name, as the model gave it.
            arguments: as the model gave them.
            key: idempotency key of the operation, 16 to 128 characters, sent if the tool takes one. Give it to go on
                with a call that ended `Unknown`; otherwise a new one is made.
        """
        found = await self._checked(tool)
        if isinstance(found, Stopped):
            return found
        keyed = takes_key(found)
        given = dict(arguments)
        # The model isn't shown a key, but a fault may have told it to send one (possible_duplicate).
        own = given.pop(KEY_ARGUMENT, None) if keyed else None
        operation = Operation(
            session=self._session,
            rules=self._rules,
            intent=self._intent(found, given),
            known_again=is_known_again(found),
            key=(key or (own if isinstance(own, str) else uuid.uuid4().hex)) if keyed else None,
            correct=self._correct,
            answer=self._answer,
            patience=self._patience,
            pause=self._pause,
        )
        return await operation.run()

    async def _checked(self, tool: str) -> ListedTool | Stopped:
        """The tool as it is listed, or why it may not be called. Before a write, the server has to list it again."""
        if not self._rules.allows(tool):
            return stopped("not_allowed")
        listing = self._listing
        # What was listed earlier may be another tool by now; before a write that is worth a request.
        if listing is None or tool not in listing.tools or self._rules.effect_of(tool) not in FREE:
            try:
                listing = await self._list()
            except TargetError as error:
                return stopped("unreachable", str(error))
        objection = listing.objection_to(tool)
        return stopped(objection) if objection else listing.tools[tool]

    async def _list(self) -> Listing:
        listed = await self._session.tools()
        if self._pins is None:
            self._pins = pins_of_list(listed)
        self._listing = Listing.of(listed, pins=self._pins)
        return self._listing

    def _intent(self, tool: ListedTool, arguments: JsonObject) -> Intent:
        return Intent(
            tool=tool.name,
            effect=self._rules.effect_of(tool.name),
            reach=self._rules.reach_of(tool.name),
            arguments=arguments,
            definition=tool.definition,
        )
