"""What an answer amounts to: a success, a refusal of the arguments, or another failure; and how to say so in short."""

from __future__ import annotations

import json
import re

from fourfold.model.listed import ToolAnswer
from fourfold.prove.desk import code_of
from fourfold.review.answers import asks, is_error, said

__all__ = ["everything", "in_short", "refuses_arguments", "succeeded"]

_REFUSED = frozenset({"invalid_arguments", "argument_too_large"})
_REFUSING = re.compile(
    r"input validation error|invalid (?:arguments|params)|-32602|validation errors? for|schema validation|^HTTP 4\d\d",
    re.IGNORECASE,
)
"""What validators of the official SDKs and of pydantic say; strangers have no codes, and HTTP has only a status."""

_SHOWN = 120


def succeeded(answer: ToolAnswer) -> bool:
    """Whether the call did what it was to do, as far as the answer says."""
    return not is_error(answer) and not asks(answer)


def refuses_arguments(answer: ToolAnswer) -> bool:
    """Whether the answer says that the arguments break the tool's schema."""
    if not is_error(answer):
        return False
    code = code_of(answer)
    return code in _REFUSED if code else _REFUSING.search(said(answer)) is not None


def in_short(answer: ToolAnswer) -> str:
    """What a failure said, for a verdict: its code if it has one, else the beginning of its text."""
    code = "a question" if asks(answer) else code_of(answer)
    return code or " ".join(said(answer).split())[:_SHOWN]


def everything(answer: ToolAnswer) -> str:
    """All that an answer holds, as text to look for something in."""
    return f"{json.dumps(answer.result, ensure_ascii=False, default=str)}\n{said(answer)}"
