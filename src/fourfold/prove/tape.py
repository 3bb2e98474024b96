"""A record of a run as values of JSON: what each thing that is asked of a server looks like, and each answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.model.plan import Verdict
from fourfold.ports.target import Answering
from fourfold.ports.wire import WireAnswer

__all__ = [
    "CUT",
    "GIVEN_UP",
    "HUNG_UP",
    "RESTARTED",
    "WRITTEN",
    "answer_of",
    "call_of",
    "decision_of",
    "frame_of",
    "key_of",
    "said_in_short",
    "tool_answer",
    "tools_of",
    "wire_answer",
    "wire_answer_of",
]

WRITTEN: JsonObject = {"of": "written"}
"""How many rows handlers have written so far."""

HUNG_UP: JsonObject = {"of": "hang_up"}
RESTARTED: JsonObject = {"of": "restart"}
CUT = "cut"
"""The method of a frame after which the connection was cut."""

GIVEN_UP = "given_up"
"""What stands in the place of an answer for which nobody waited."""

_HIDDEN = frozenset({"authorization", "cookie", "set-cookie", "proxy-authorization"})
_LONGEST = 300


def tools_of(caller: str) -> JsonObject:
    """The list of tools, as what is asked."""
    return {"of": "tools", "caller": caller}


def call_of(tool: str, arguments: JsonObject, *, caller: str, answering: Answering | None) -> JsonObject:
    """A call of a tool, as what is asked."""
    asked: JsonObject = {"of": "call", "caller": caller, "tool": tool, "arguments": arguments}
    return asked if answering is None else {**asked, "answering": asdict(answering)}


def decision_of(plan_id: str, digest: str, *, verdict: Verdict) -> JsonObject:
    """A decision about a plan, as what is asked."""
    return {"of": "decision", "plan_id": plan_id, "digest": digest, "verdict": verdict}


def frame_of(frame: bytes, headers: Mapping[str, str | None], *, method: str) -> JsonObject:
    """A frame, as what is asked; of a header that may hold a token there is only whether it was sent."""
    return {"of": "frame", "method": method, "frame": _text(frame), "headers": _without_tokens(headers)}


def key_of(asked: object) -> str:
    """What two equal questions have in common."""
    return json.dumps(asked, sort_keys=True)


def said_in_short(asked: Mapping[str, object]) -> str:
    """What is asked, in the words of a message."""
    match asked.get("of"):
        case "call":
            arguments = json.dumps(asked.get("arguments"))
            return f"call of {asked.get('tool')} by the {asked.get('caller')} caller with {_cut(arguments)}"
        case "frame":
            return f"{asked.get('method')} of the frame {_cut(str(asked.get('frame')))}"
        case "decision":
            return f"decision about the plan {asked.get('plan_id')}"
        case other:
            return f"answer to {other}"


def answer_of(answer: ToolAnswer) -> JsonObject:
    """The answer to a call."""
    return {"result": answer.result, **({"refusal": answer.refusal} if answer.refusal else {})}


def tool_answer(said: JsonObject, arguments: JsonObject) -> ToolAnswer:
    """The answer to a call, from what `answer_of` made of it."""
    result = cast("JsonObject", said.get("result", {}))
    return ToolAnswer(result=result, arguments=arguments, refusal=str(said.get("refusal", "")))


def wire_answer_of(answer: WireAnswer) -> JsonObject:
    """The answer to a frame."""
    return {
        "status": answer.status,
        "headers": _without_tokens(answer.headers),
        "messages": answer.messages,
        "body": _text(answer.body),
        "ended": answer.ended,
    }


def wire_answer(said: JsonObject) -> WireAnswer:
    """The answer to a frame, from what `wire_answer_of` made of it."""
    return WireAnswer(
        status=int(cast("int", said["status"])),
        headers=cast("Mapping[str, str]", said["headers"]),
        messages=tuple(cast("list[object]", said["messages"])),
        body=str(said["body"]).encode("utf-8", "surrogateescape"),
        ended=bool(said["ended"]),
    )


def _without_tokens(headers: Mapping[str, str | None]) -> JsonObject:
    return {name: "hidden" if value and name.lower() in _HIDDEN else value for name, value in headers.items()}


def _text(raw: bytes) -> str:
    # What is no UTF-8 comes through as lone surrogates, which JSON can write.
    return raw.decode("utf-8", "surrogateescape")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"
