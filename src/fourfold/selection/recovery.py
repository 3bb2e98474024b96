"""Cases in which a tool has just failed: what a chooser does then is counted apart."""

from __future__ import annotations

import re

from fourfold.model.case import Case
from fourfold.model.contract import JsonObject
from fourfold.selection.tally import Rate, Tally
from fourfold.selection.wire.values import arguments_of

__all__ = ["follows_an_error", "recovery"]

_FLAGS = ("isError", "is_error")
_SAYS_ERROR = re.compile(r"(?i)\s*(?:error|failed|failure|exception|traceback)\b")


def recovery(tally: Tally) -> Rate | None:
    """The rate over the cases of which the last message is an error of a tool; `None` if there are none."""
    return tally.rate_of("recovery after an error", [case for case in tally.cases if follows_an_error(case)])


def follows_an_error(case: Case) -> bool:
    """Whether the last message is a tool result that says that something went wrong.

    MCP's `isError`, Anthropic's `is_error`, an `error` in a JSON object, or a text that begins with such a word.
    """
    last: JsonObject = case.messages[-1] if case.messages else {}
    if last.get("role") != "tool":
        return False
    if any(last.get(flag) is True for flag in _FLAGS):
        return True
    content: object = last.get("content")
    return isinstance(content, str) and (_SAYS_ERROR.match(content) is not None or _is_fault(_object(content)))


def _is_fault(value: JsonObject) -> bool:
    return any(value.get(flag) is True for flag in _FLAGS) or bool(value.get("error"))


def _object(text: str) -> JsonObject:
    """The JSON object in a text; an empty one if it is none."""
    return arguments_of(text) or {} if text.lstrip().startswith("{") else {}
