"""What both wire formats have in common, so that one client and one recorder speak either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from fourfold.model.chosen import Choice, OfferedTool, Sampling
from fourfold.model.contract import JsonObject

__all__ = ["Asked", "Gathering", "WireFormat", "conversation"]

_BEGINS = frozenset({"system", "developer"})


class Gathering(Protocol):
    """Puts the events of a streamed answer together to the body that would have come at once."""

    @property
    def begun(self) -> bool:
        """Whether a part of the answer itself has come, be it text or a call."""
        ...

    def take(self, event: JsonObject) -> None:
        """Add one event."""
        ...

    def body(self) -> JsonObject:
        """The whole answer; one that broke off before its end says that it was cut."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a recorded request says: the conversation as OpenAI chat messages, and the tools that were offered."""

    messages: tuple[JsonObject, ...]
    tools: tuple[OfferedTool, ...]
    model: str = ""


class _Writing(Protocol):
    def __call__(
        self, messages: Sequence[JsonObject], tools: Sequence[OfferedTool], *, model: str, sampling: Sampling
    ) -> JsonObject: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WireFormat:
    """One format.

    Attributes:
        name: what options and reports call it.
        path: below the base URL.
        ending: how the paths end that carry decisions, whatever stands before it.
        write: the body of a request that asks for a stream.
        read: what an answer's body says, names as they were sent.
        gather: a new `Gathering`.
        asked: what a request's body says.
    """

    name: Literal["openai", "anthropic"]
    path: str
    ending: str
    write: _Writing
    read: Callable[[JsonObject], Choice]
    gather: Callable[[], Gathering]
    asked: Callable[[JsonObject], Asked]


def conversation(messages: Sequence[JsonObject], system: str) -> list[JsonObject]:
    """The messages to send: `system`, if there is one, stands in the place of the instructions that they begin with."""
    # Instructions further down were said to the model in that place, and stay.
    if not system:
        return [*messages]
    begins = next((at for at, each in enumerate(messages) if each.get("role") not in _BEGINS), len(messages))
    return [{"role": "system", "content": system}, *messages[begins:]]
