"""Rewrites a schema in keywords that more clients take, each step one that accepts the same values as before.

References are written out, unless they recurse; what stands beside one limits it further, so both apply. What has no
equal (null in a union, a map with free keys, `uniqueItems`) is left as it is. `review.fix_schema` proves the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from fourfold.contracts.strict_json import Json, pointer
from fourfold.contracts.walk import Schema
from fourfold.model.contract import JsonObject
from fourfold.model.portability import SchemaChange
from fourfold.review.intersect import intersect
from fourfold.review.place import MAX_PLACES, SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_SINGLES, places
from fourfold.review.references import references
from fourfold.review.simpler import STEPS

__all__ = ["Rewriter"]

_DEFINITIONS = ("$defs", "definitions")
_NAMED_ELSEWHERE = ("$id", "id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor")
_SIBLINGS_COUNT = ("2019-09", "2020-12")
_OLD_MEANINGS = ("additionalItems", "dependencies", "id", "$recursiveRef", "$recursiveAnchor")


@dataclass(slots=True)
class Rewriter:
    """One rewriting of one schema.

    Attributes:
        root: the schema as written.
        formats: the formats that stay; others move to the description.
        changes: what was rewritten, and where in the result.
    """

    root: JsonObject
    formats: frozenset[str] | None
    changes: list[SchemaChange] = field(default_factory=list[SchemaChange])
    _targets: dict[int, JsonObject] = field(default_factory=dict[int, JsonObject], init=False)
    _written: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        found = places(self.root, at="")
        if any(keyword in place.schema for place in found for keyword in _NAMED_ELSEWHERE):
            return  # pointers may mean another document than this one
        known = {place.pointer: place.schema for place in found}
        for reference in references(found):
            if reference.target is not None and not reference.recursive and self._may_inline(reference.place.schema):
                self._targets[id(reference.place.schema)] = known[reference.target]

    def rewritten(self) -> Schema:
        """The portable schema."""
        node = self._schema(self.root, "/inputSchema")
        if node.get("type") == "object" and "properties" not in node:
            node["properties"] = {}
            self._note("/inputSchema", "properties, empty, added")
        if "$schema" in node and "2020-12" not in str(node["$schema"]) and self._means_the_same():
            del node["$schema"]
            self._note("/inputSchema", "$schema left out: every keyword means the same in 2020-12")
        if not _refers(node):
            for keyword in _DEFINITIONS:
                if node.pop(keyword, None):
                    self._note("/inputSchema", f"{keyword} left out: nothing refers to it")
        return node

    def _schema(self, schema: JsonObject, at: str) -> Schema:
        self._written += 1
        target = self._targets.get(id(schema))
        if target is not None and self._written < MAX_PLACES:
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            inner = self._schema(target, at)
            self._note(at, f"{schema['$ref']} written out")
            return self._simple(intersect(inner, self._inside(beside, at)), at)
        return self._simple(self._inside(schema, at), at)

    def _inside(self, schema: JsonObject, at: str) -> Schema:
        """A copy of `schema` with the schemas in it rewritten."""
        node = dict(schema)
        for keyword in SCHEMA_MAPS:
            if isinstance(node.get(keyword), Mapping):
                node[keyword] = {
                    name: self._maybe(each, at + pointer(keyword, name))
                    for name, each in cast("JsonObject", node[keyword]).items()
                }
        for keyword in (*SCHEMA_LISTS, *SCHEMA_SINGLES):
            value: object = node.get(keyword)
            if isinstance(value, list):
                arms = enumerate(cast("list[object]", value))
                node[keyword] = [self._maybe(each, at + pointer(keyword, index)) for index, each in arms]
            elif isinstance(value, Mapping):
                node[keyword] = self._maybe(cast("JsonObject", value), at + pointer(keyword))
        return node

    def _maybe(self, value: object, at: str) -> Json:
        return self._schema(cast("JsonObject", value), at) if isinstance(value, Mapping) else value

    def _simple(self, node: Schema, at: str) -> Schema:
        """`node` itself in simpler words; the schemas in it are done."""
        made = node
        for words, step in STEPS:
            before = made
            made = step({**made})
            if made != before:
                self._note(at, words)
        return self._without_format(made, at)

    def _without_format(self, node: Schema, at: str) -> Schema:
        name = node.get("format")
        if self.formats is None or not isinstance(name, str) or name in self.formats:
            return node
        self._note(at, f"format {name[:40]} moved to the description")
        told = node.get("description")
        text = f"{told.rstrip()} " if isinstance(told, str) and told else ""
        without = {key: value for key, value in node.items() if key != "format"}
        return {**without, "description": f"{text}Format: {name}."}

    def _may_inline(self, schema: JsonObject) -> bool:
        """Before 2019-09, what stands beside a reference means nothing; whether its author knew is anybody's guess."""
        dialect = str(self.root.get("$schema", _SIBLINGS_COUNT[-1]))
        notes = {"$ref", "title", "description", "default", "examples"}
        return schema.keys() <= notes or any(name in dialect for name in _SIBLINGS_COUNT)

    def _means_the_same(self) -> bool:
        for place in places(self.root, at=""):
            schema = place.schema
            old = any(keyword in schema for keyword in _OLD_MEANINGS) or isinstance(schema.get("items"), list)
            bounds = (schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"))
            if old or any(isinstance(bound, bool) for bound in bounds):
                return False
            if "$ref" in schema and not self._may_inline(schema):
                return False
        return True

    def _note(self, at: str, what: str) -> None:
        self.changes.append(SchemaChange(pointer=at, what=what))


def _refers(node: JsonObject) -> bool:
    return any("$ref" in place.schema or "$dynamicRef" in place.schema for place in places(node, at=""))
