"""What writes are guarded with: the key that tells a repeat, the version that was seen, and plans."""

from __future__ import annotations

import random

from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.effect import PlanStep
from fourfold.prove.desk import Desk
from fourfold.review.view import ToolView

__all__ = ["executes", "is_keyed_write", "key_argument", "plans", "version_argument", "with_new_key"]

_KEYS = frozenset({"idempotency", "idempotence", "dedupe", "dedup", "deduplication"})
_VERSIONS = frozenset({"expected version", "expected hash", "if match", "etag", "lock version", "revision id"})


def key_argument(tool: ToolView) -> str | None:
    """The argument that tells a repeat from a second request; `None` if there is none."""
    return next((place.name for place in tool.arguments if _KEYS & set(words(place.name))), None)


def version_argument(tool: ToolView) -> str | None:
    """The argument that says which state of the object the caller has seen; `None` if there is none."""
    own = (place.name for place in tool.arguments if len(place.parents) == 1)
    return next((name for name in own if " ".join(words(name)) in _VERSIONS), None)


def with_new_key(tool: ToolView, arguments: JsonObject, *, desk: Desk, dice: random.Random) -> JsonObject:
    """The same call as another intent; as it is, if the tool takes no key."""
    name = key_argument(tool)
    return arguments if name is None else {**arguments, name: f"{dice.getrandbits(80):020x}{desk.sent:012x}"}


def is_keyed_write(tool: ToolView) -> bool:
    """Whether it writes, and takes a key that tells a repeat from a second request."""
    return tool.action != "read" and key_argument(tool) is not None


def plans(tool: ToolView) -> bool:
    """Whether it is the half of a pair that plans."""
    contract = tool.tool.contract
    return contract is not None and isinstance(contract.effect, PlanStep)


def executes(tool: ToolView) -> bool:
    """Whether it is the half of a pair that executes."""
    contract = tool.tool.contract
    return contract is not None and "plan_id" in contract.framework_arguments
