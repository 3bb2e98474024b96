"""OpenAI Chat Completions: the request with its response, or a conversation that holds the answers already.

Read as well: the names that proxies give the two parts, batch files, and messages alone as in files for tuning.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.contract import JsonObject
from fourfold.selection.importing.chat import as_completion, decided, decisions_in, ids_of
from fourfold.selection.importing.decision import Found
from fourfold.selection.importing.offered import offered_tools
from fourfold.selection.wire.openai_chat import OPENAI_CHAT
from fourfold.selection.wire.values import is_object, object_of, objects_of, text_of

__all__ = ["read_openai", "request_of", "response_of"]


def read_openai(record: JsonObject) -> Iterator[Found]:
    """The decisions of one record."""
    request, response = request_of(record), response_of(record)
    messages = objects_of(request.get("messages"))
    tools = offered_tools(request.get("tools")) or offered_tools(request.get("functions"))
    ids = ids_of(record, object_of(response))
    if response is None:
        yield from decisions_in(messages, tools=tools, ids=ids)
    else:
        yield decided(OPENAI_CHAT.read(_completion(response)), messages, tools=tools, ids=ids)


def request_of(record: JsonObject) -> JsonObject:
    """The part of a record that is the request."""
    return next((object_of(record[key]) for key in ("request", "body") if is_object(record.get(key))), record)


def response_of(record: JsonObject) -> JsonObject | None:
    """The part of a record that is the response; `None` if there is none."""
    if "choices" in record:
        return record
    if "response" not in record:
        return None
    response = object_of(record["response"])
    return object_of(response["body"]) if is_object(response.get("body")) else response


def _completion(response: JsonObject) -> JsonObject:
    """The response, whole or only its message, as the API answers."""
    if "choices" in response or "error" in response:
        return response
    ended = text_of(response.get("finish_reason"))
    return as_completion(response, ended=ended) if response else {}
