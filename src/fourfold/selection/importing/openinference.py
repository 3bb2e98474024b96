"""OpenInference, as Phoenix and Arize keep it: attributes whose names spell out the path to each value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.chat import as_completion, decided
from fourfold.selection.importing.decision import Found
from fourfold.selection.importing.offered import offered_tools
from fourfold.selection.importing.spans import Span, loaded
from fourfold.selection.wire.openai_chat import OPENAI_CHAT
from fourfold.selection.wire.values import is_object, object_of, objects_of, text_of

__all__ = ["is_openinference", "read_llm_span"]

_PREFIXES = ("llm.", "openinference.")
_MOST_STEPS = 24
"""Steps of a name; the deepest that the conventions know has nine."""


def is_openinference(span: Span) -> bool:
    """Whether a span speaks in these conventions rather than in OpenTelemetry's own."""
    attributes = span.attributes
    return any(name.startswith(_PREFIXES) for name in attributes) or is_object(attributes.get("openinference"))


def read_llm_span(span: Span) -> Iterator[Found]:
    """The decision of one span; nothing for spans that ask no model."""
    tree = _tree(span.attributes)
    kind = object_of(object_of(tree.get("openinference")).get("span")).get("kind")
    if kind not in (None, "LLM"):
        return
    llm = object_of(tree.get("llm"))
    answers = [_message(each) for each in _items(llm.get("output_messages"))]
    asked = [_message(each) for each in _items(llm.get("input_messages"))]
    if not answers or not asked:
        yield "no_content"
        return
    definitions = [_definition(each) for each in _items(llm.get("tools"))]
    completion = as_completion(answers[0], ended=text_of(llm.get("finish_reason")))
    yield decided(OPENAI_CHAT.read(completion), asked, tools=offered_tools(definitions), ids=span.ids)


def _tree(attributes: JsonObject) -> JsonObject:
    """The attributes as nested objects, lists as objects whose names are numbers."""
    root: dict[str, object] = {}
    made = {id(root)}
    for name, value in attributes.items():
        *path, last = name.split(".", _MOST_STEPS)
        node = root
        for step in path:
            inner = node.get(step)
            if id(inner) not in made:
                # What came nested is somebody else's: a copy is filled.
                inner = {**object_of(inner)}
                made.add(id(inner))
                node[step] = inner
            node = cast("dict[str, object]", inner)
        if not is_object(node.get(last)):
            node[last] = value
    return root


def _items(value: object) -> list[JsonObject]:
    """The objects of a list that may be an object with numbers for names."""
    if not is_object(value):
        return objects_of(value)
    members = object_of(value)
    # By length first: "10" comes after "9".
    numbers = sorted(
        (name for name in members if name.isdecimal() and name.isascii()), key=lambda name: (len(name), name)
    )
    return [object_of(members[number]) for number in numbers]


def _message(item: JsonObject) -> JsonObject:
    facts = object_of(item.get("message"))
    calls = [_call(object_of(each.get("tool_call"))) for each in _items(facts.get("tool_calls"))]
    parts = [_part(object_of(each.get("message_content"))) for each in _items(facts.get("contents"))]
    content = facts.get("content")
    kept = {"role": facts.get("role"), "content": parts if content is None and parts else content}
    if facts.get("tool_call_id"):
        kept["tool_call_id"] = facts["tool_call_id"]
    return {**kept, "tool_calls": calls} if calls else kept


def _call(facts: JsonObject) -> JsonObject:
    function = object_of(facts.get("function"))
    kept = {"name": text_of(function.get("name")), "arguments": function.get("arguments", "")}
    return {"id": text_of(facts.get("id")), "type": "function", "function": kept}


def _part(facts: JsonObject) -> JsonObject:
    return {"type": text_of(facts.get("type")) or "text", "text": facts.get("text")}


def _definition(item: JsonObject) -> JsonObject:
    tool = object_of(item.get("tool"))
    described = object_of(loaded(tool.get("json_schema")))
    return described or {"name": tool.get("name"), "description": tool.get("description")}
