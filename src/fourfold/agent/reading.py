"""Reads a server's answer, whoever wrote that: its fault, its questions, its text. Nothing in it is taken for granted.

A fault that carries no `_meta["fourfold/fault"]` is final: nothing but a declared verb says that a repeat may help.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.fault import CODE_PATTERN, FRAMEWORK_CODES, FaultDetail, Problem, Retry
from fourfold.model.listed import ListedTool, ToolAnswer
from fourfold.model.outcome import Question
from fourfold.review.answers import is_error, said, structured

__all__ = ["fault_of", "is_conclusive", "questions_of", "state_of", "text_of"]

_FAULT = "fourfold/fault"
_CODE_FIRST = re.compile(rf"({CODE_PATTERN.pattern}): ")
_LONGEST_MS = 2**53
"""What a server says to wait may have any number of digits; nobody waits that long."""

_VERBS = {verb.value: verb for verb in Retry}


def text_of(answer: ToolAnswer) -> str:
    """What a model is shown of it; the structured result where a server sends no text."""
    text = said(answer)
    return text if text or structured(answer) is None else json.dumps(structured(answer), ensure_ascii=False)


def fault_of(answer: ToolAnswer) -> FaultDetail | None:
    """The fault in it, if it is an error."""
    if not is_error(answer):
        return None
    facts, text = _part(_part(answer.result, "_meta"), _FAULT), said(answer)
    return FaultDetail(
        code=_text(facts, "code") or _code_in(text),
        retry=_VERBS.get(_text(facts, "retry"), Retry.NEVER),
        message=text,
        next_step=_text(facts, "next_step"),
        retry_after_ms=_milliseconds(facts.get("retry_after_ms")),
        problems=tuple(_problems(facts.get("problems"))),
        operation_id=_text(facts, "operation_id") or None,
        reference=_text(facts, "reference") or None,
        current_version=_text(facts, "current_version") or None,
    )


def is_conclusive(answer: ToolAnswer) -> bool:
    """Whether a fault says what became of all requests with its key: a replay of it, or a declared domain fault."""
    meta = _part(answer.result, "_meta")
    code = _text(_part(meta, _FAULT), "code")
    return meta.get("fourfold/replayed") is True or (code != "" and code not in FRAMEWORK_CODES)


def questions_of(answer: ToolAnswer) -> tuple[Question, ...] | None:
    """What is asked, which may be nothing; `None` if something is asked that no form and no page answers."""
    requests = _part(answer.result, "inputRequests")
    if any(_part(requests, key).get("method") != "elicitation/create" for key in requests):
        return None
    return tuple(_question(key, _part(_part(requests, key), "params")) for key in requests)


def state_of(answer: ToolAnswer) -> str | None:
    """The state that has to come back, byte for byte."""
    return _text(answer.result, "requestState") or None


def _question(key: str, params: JsonObject) -> Question:
    url = _text(params, "url") if params.get("mode") == "url" else ""
    return Question(key=key, message=_text(params, "message"), schema=_part(params, "requestedSchema"), url=url)


def _problems(value: object) -> Iterator[Problem]:
    for each in cast("Sequence[object]", value) if isinstance(value, list) else ():
        if isinstance(each, Mapping):
            found = cast("JsonObject", each)
            yield Problem(pointer=_text(found, "pointer"), code=_text(found, "code"), expected=_text(found, "expected"))


def _code_in(text: str) -> str:
    found = _CODE_FIRST.match(text)
    return found[1] if found else ""


def _milliseconds(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        return None
    return min(value, _LONGEST_MS)


def _text(value: JsonObject, name: str) -> str:
    return ListedTool(definition=value).text(name)


def _part(value: JsonObject, name: str) -> JsonObject:
    return ListedTool(definition=value).part(name)
