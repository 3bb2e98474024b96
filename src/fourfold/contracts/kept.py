"""What may be kept of arguments and results: nothing secret or personal, and nothing that nobody declared.

The schema decides, place by place: a value under a marker goes, whatever it is, and so does one that the schema does
not know or knows as something else. What is left are texts and numbers that the contract declares; texts go through
`model.redact` as well.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from pydantic import BaseModel, SecretStr

from fourfold.contracts.breach import types_of
from fourfold.contracts.markers import MARKS, Personal, Secret
from fourfold.contracts.strict_json import MAX_DEPTH, Json, pointer
from fourfold.contracts.walk import Schema, followed, walk
from fourfold.model.contract import JsonObject
from fourfold.model.kept import KeptPart
from fourfold.model.redact import MAX_NOTE, redact

__all__ = ["MAX_KEPT_BYTES", "hides", "kept_part", "marked_values", "with_secret"]

MAX_KEPT_BYTES = 16_384
"""Bytes of JSON that are kept of one call's arguments, and of its result; the rest is cut."""

_MASK = "[redacted]"
_MAX_NAME = 64
_COLLECTIONS = (list, tuple, set, frozenset)
_NEVER_KEPT = frozenset({Secret.word, Personal.word})
_STAND_INS: Mapping[type, Json] = {str: "[left out]", bool: False, int: 0, float: 0.5, list: [], dict: {}}
_KINDS: Mapping[type, frozenset[str]] = {
    str: frozenset({"string"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
}


def kept_part(value: JsonObject, schema: Schema) -> KeptPart:
    """What may be kept of `value`, whose canonical schema, with its markers, is `schema`. `value` may break it."""
    walk = _Walk(schema)
    kept = walk.value(dict(value), [schema], at=())
    return KeptPart(
        value=cast("JsonObject", kept),
        redacted=tuple(walk.redacted),
        left_out=tuple(walk.left_out),
        cut=tuple(walk.cut),
    )


def with_secret(schema: Schema, names: frozenset[str]) -> Schema:
    """`schema` with those of its properties marked as secrets."""
    properties = cast("dict[str, Schema]", schema["properties"])
    secret = [{"mark": Secret.word}]
    marked = {name: {**inner, MARKS: secret} if name in names else inner for name, inner in properties.items()}
    return {**schema, "properties": marked}


def marked_values(value: object, schema: Schema) -> Iterator[str]:
    """Whatever stands under a marker in `value`, which is JSON or a model, as exceptions may quote it."""
    return _marked(value, [schema], root=schema)


def hides(schema: Schema) -> bool:
    """Whether anything in `schema` is never kept."""
    return any(node.marks(Secret) or node.marks(Personal) for node in walk(schema))


@dataclass(slots=True)
class _Walk:
    """One pass over a value. `left` is how many bytes may still be kept; names and pointers count as well."""

    root: Schema
    left: int = MAX_KEPT_BYTES
    redacted: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])
    cut: list[str] = field(default_factory=list[str])

    def value(self, value: Json, schemas: list[Schema], *, at: tuple[str, ...]) -> Json:
        """What is kept of `value`, to which one of `schemas` applies; it is unknown which, so all of them do."""
        nodes = _spread(schemas, self.root)
        if value is None:
            return None
        if _is_marked(nodes):
            return self._masked(at)
        # Only a result can be deeper: such arguments were refused before.
        if not _is_declared(value, nodes) or len(at) > MAX_DEPTH:
            return self._without(value, at)
        self.left -= 2
        if isinstance(value, dict):
            return self._object(cast("dict[str, Json]", value), nodes, at=at)
        if isinstance(value, list):
            return self._list(cast("list[Json]", value), nodes, at=at)
        if isinstance(value, str):
            return self._text(value, at)
        self.left -= len(json.dumps(value))
        return value

    def _object(self, value: dict[str, Json], nodes: list[Schema], *, at: tuple[str, ...]) -> Json:
        kept: dict[str, Json] = {}
        for name, item in value.items():
            # A name that no property has is data: the key of a map, or what a client made up.
            is_property = any(name in node.get("properties", ()) for node in nodes)
            shown = name if is_property else redact(name)[:_MAX_NAME]
            self.left -= len(json.dumps(shown)) + len(":,")
            if self.left < 0:
                self._cut(at)
                break
            place = (*at, shown)
            if shown != name:
                self._note(self.redacted, place)
            inner = list(_members(nodes, name))
            is_credential = isinstance(item, str) and bool(inner) and _names_credential(name)
            kept[shown] = self._masked(place) if is_credential else self.value(item, inner, at=place)
        return kept

    def _list(self, value: list[Json], nodes: list[Schema], *, at: tuple[str, ...]) -> Json:
        inner = list(_items(nodes))
        kept: list[Json] = []
        for index, item in enumerate(value):
            self.left -= len(",")
            if self.left < 0:
                self._cut(at)
                break
            kept.append(self.value(item, inner, at=(*at, str(index))))
        return kept

    def _text(self, text: str, at: tuple[str, ...]) -> str:
        kept = redact(text)
        if kept != text:
            self._cut(at) if len(text) > MAX_NOTE else self._note(self.redacted, at)
        whole = kept
        while len(json.dumps(kept)) > max(self.left, 2):
            kept = kept[: len(kept) // 2]
        if kept != whole:
            self._cut(at)
        self.left -= len(json.dumps(kept))
        return kept

    def _masked(self, at: tuple[str, ...]) -> str:
        self._note(self.redacted, at)
        self.left -= len(json.dumps(_MASK))
        return _MASK

    def _without(self, value: Json, at: tuple[str, ...]) -> Json:
        """Something of the same type, so that it is refused, or let pass, just as `value` was."""
        self._note(self.left_out, at)
        self.left -= len(json.dumps(_STAND_INS[type(value)]))
        return _STAND_INS[type(value)]

    def _cut(self, at: tuple[str, ...]) -> None:
        """Note a place that is cut, which says it for what is inside as well."""
        place = pointer(*at)
        self.cut = [*(each for each in self.cut if not each.startswith(f"{place}/")), place]

    def _note(self, places: list[str], at: tuple[str, ...]) -> None:
        place = pointer(*at)
        self.left -= len(json.dumps(place))
        places.append(place)


def _spread(schemas: Iterable[Schema], root: Schema) -> list[Schema]:
    """Each of `schemas` and whatever it refers to, chooses from or is made of, outer ones first."""
    return [node for schema in schemas for node in _parts(schema, root, seen=())]


def _parts(schema: Schema, root: Schema, *, seen: tuple[str, ...]) -> Iterator[Schema]:
    yield schema
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        yield from _parts(followed(schema, root), root, seen=(*seen, reference))
    for arm in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _parts(arm, root, seen=seen)


def _is_marked(nodes: list[Schema]) -> bool:
    return any(mark["mark"] in _NEVER_KEPT for node in nodes for mark in node.get(MARKS, ()))


def _marked(value: object, schemas: list[Schema], *, root: Schema) -> Iterator[str]:
    nodes = _spread(schemas, root)
    members = _members_in(value)
    if _is_marked(nodes):
        yield from _quoted(value)
    elif members is not None:
        for name, item in members.items():
            yield from _marked(item, list(_members(nodes, name)), root=root)
    elif isinstance(value, _COLLECTIONS):
        inner = list(_items(nodes))
        for item in cast("Collection[object]", value):
            yield from _marked(item, inner, root=root)


def _members_in(value: object) -> Mapping[str, object] | None:
    """The members of an object or of a model, by their published names."""
    if isinstance(value, BaseModel):
        return {info.alias or name: getattr(value, name) for name, info in type(value).model_fields.items()}
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _quoted(value: object) -> Iterator[str]:
    """Each text and number in `value`, names included, as it is, as Python writes it and as JSON has it."""
    members = _members_in(value)
    if members is not None:
        for name, item in members.items():
            # The names of a model are the contract's own.
            yield from _quoted(item) if isinstance(value, BaseModel) else (*_quoted(name), *_quoted(item))
    elif isinstance(value, _COLLECTIONS):
        for item in cast("Collection[object]", value):
            yield from _quoted(item)
    elif value not in (None, "", True, False):
        said = value.get_secret_value() if isinstance(value, SecretStr) else value
        text = str(said)
        yield from (text, repr(said).strip("'\""), repr(text)[1:-1], json.dumps(text)[1:-1])


def _is_declared(value: Json, nodes: list[Schema]) -> bool:
    """Whether one of `nodes` takes values of that type. A float without a fraction is an integer."""
    kinds = _KINDS[type(value)]
    if isinstance(value, float) and value.is_integer():
        kinds = kinds | {"integer"}
    named = {kind for node in nodes for kind in types_of(node)}
    # A vocabulary of texts and numbers has no type beside it.
    is_listed = any(type(each) is type(value) for node in nodes for each in cast("list[object]", node.get("enum", [])))
    return is_listed or bool(kinds & named)


def _members(nodes: list[Schema], name: str) -> Iterator[Schema]:
    """What the value of `name` may be; nothing for a name that is not declared."""
    for node in nodes:
        if name in node.get("properties", ()):
            yield node["properties"][name]
            continue
        # Which pattern a key has is not looked at: what one of them hides, all of them do.
        yield from node.get("patternProperties", {}).values()
        if isinstance(node.get("additionalProperties"), dict):
            yield node["additionalProperties"]


def _items(nodes: list[Schema]) -> Iterator[Schema]:
    for node in nodes:
        yield from node.get("prefixItems", ())
        if isinstance(node.get("items"), dict):
            yield node["items"]


def _names_credential(name: str) -> bool:
    """Whether a text of that name is a credential, though nothing marks it."""
    said = f"{name}=x"
    return redact(said) != said
