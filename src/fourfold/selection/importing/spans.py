"""Spans of traces, whatever they were exported as: OTLP JSON of traces or logs, or one flat object a span.

Owns how attributes are written down, not what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.values import is_object, list_of, object_of, objects_of, text_of

__all__ = ["Event", "Span", "is_span", "loaded", "spans_of"]

_PREFIXES = ("gen_ai.", "llm.", "openinference.", "mcp.")
_BATCHES = ("resourceSpans", "resourceLogs")
_SCOPES = ("scopeSpans", "instrumentationLibrarySpans")
_DEPTH = 200
_INTEGER = re.compile(r"-?[0-9]{1,19}")


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a span: its name, and its attributes with the members of its body among them."""

    name: str
    facts: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span. A log record without one stands as a span of its own."""

    attributes: JsonObject
    ids: JsonObject
    events: Sequence[Event] = ()


def is_span(record: JsonObject) -> bool:
    """Whether a record is a batch of traces or logs, or one span."""
    if any(name in record for name in (*_BATCHES, *_SCOPES)):
        return True
    # Other records have attributes, too: a span has a name or an id beside them.
    is_one = "attributes" in record and ("name" in record or "spanId" in record)
    return is_one or any(name.startswith(_PREFIXES) for name in record)


def spans_of(record: JsonObject) -> Iterator[Span]:
    """The spans of one record."""
    scopes = [scope for batch in objects_of(record.get("resourceSpans")) for scope in _scopes(batch)] or _scopes(record)
    for scope in scopes:
        yield from map(_span, objects_of(scope.get("spans")))
    if "resourceLogs" in record:
        yield from _logged(record)
    elif not scopes and "resourceSpans" not in record:
        yield _span(record)


def loaded(value: object) -> object:
    """A value that may have been written as JSON text; `None` if such a text is broken, as where it was cut."""
    if not isinstance(value, str):
        return value
    try:
        parsed = parse(value.encode("utf-8", "surrogatepass"), depth=_DEPTH)
    except StrictJsonError:
        return None
    return None if parsed.faults else parsed.value


def _scopes(batch: JsonObject) -> list[JsonObject]:
    return [scope for name in _SCOPES for scope in objects_of(batch.get(name))]


def _span(facts: JsonObject) -> Span:
    known = facts.get("attributes")
    attributes = facts if known is None else _attributes(known)
    events = [
        Event(text_of(each.get("name")), _attributes(each.get("attributes")))
        for each in objects_of(facts.get("events"))
    ]
    return Span(attributes=attributes, ids=_ids(facts), events=events)


def _ids(facts: JsonObject) -> JsonObject:
    context = object_of(facts.get("context"))
    found = {
        "trace": text_of(facts.get("traceId") or facts.get("trace_id") or context.get("trace_id")),
        "span": text_of(facts.get("spanId") or facts.get("span_id") or context.get("span_id")),
    }
    return {name: value[:64] for name, value in found.items() if value}


def _attributes(known: object) -> JsonObject:
    """As OTLP writes them, a list of keys and values, or as an object."""
    if is_object(known):
        return object_of(known)
    return {text_of(each.get("key")): _value(each.get("value")) for each in objects_of(known)}


def _value(value: object) -> object:
    """What an OTLP `AnyValue` holds (opentelemetry-proto, common.proto)."""
    facts = object_of(value)
    kind, held = next(iter(facts.items()), ("", None))
    match kind:
        case "arrayValue":
            return [_value(each) for each in list_of(object_of(held).get("values"))]
        case "kvlistValue":
            return _attributes(object_of(held).get("values"))
        case "intValue":
            # A 64-bit integer is written as text, since readers of JSON round it (proto3 JSON mapping).
            return int(held) if isinstance(held, str) and _INTEGER.fullmatch(held) else held
        case _:
            return held


def _logged(record: JsonObject) -> Iterator[Span]:
    """Log records: those of one span are its events, and those that hold a whole exchange are spans by themselves."""
    grouped: dict[tuple[str, str], list[Event]] = {}
    ids: dict[tuple[str, str], JsonObject] = {}
    for facts in _log_records(record):
        event = _event(facts)
        if any(name.startswith("gen_ai.output") for name in event.facts):
            yield Span(attributes=event.facts, ids=_ids(facts))
            continue
        # Records of one exchange come in their order, but those of several are mixed.
        key = text_of(facts.get("traceId")), text_of(facts.get("spanId"))
        grouped.setdefault(key, []).append(event)
        ids[key] = _ids(facts)
    for key, events in grouped.items():
        yield Span(attributes={}, ids=ids[key], events=events)


def _log_records(record: JsonObject) -> Iterator[JsonObject]:
    for batch in objects_of(record.get("resourceLogs")):
        for scope in objects_of(batch.get("scopeLogs")):
            yield from objects_of(scope.get("logRecords"))


def _event(facts: JsonObject) -> Event:
    attributes, body = _attributes(facts.get("attributes")), _value(facts.get("body"))
    name = text_of(facts.get("eventName")) or text_of(attributes.get("event.name"))
    return Event(name, {**attributes, **(cast("Mapping[str, object]", body) if is_object(body) else {})})
