"""The rules about shape: types, bounds of lists and numbers, names of properties (requirements B2, B3, C1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import cast

from fourfold.contracts import names
from fourfold.contracts.breach import Breach, Rule, types_of
from fourfold.contracts.emit import Noted
from fourfold.contracts.markers import Nullable, NullCell, PathUnder
from fourfold.contracts.strict_json import MAX_SAFE_INTEGER, Json
from fourfold.contracts.walk import Node, Schema, arms_of, tag_of

__all__ = ["INPUT_SHAPE", "MAX_ENUM", "OUTPUT_SHAPE"]

MAX_ENUM = 25
"""Values of an enum above which a pattern and a lookup on the server serve better (requirement A11)."""

_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def _array_bounds(node: Node) -> Iterator[Breach]:
    schema = node.schema
    if "array" not in types_of(schema):
        return
    if "maxItems" not in schema:
        yield Breach(
            "unbounded_array",
            "a list without a bound",
            "an unbounded list invites thousands of items in one call or one result",
            "add Field(max_length=…), or return a Page",
        )
    if "prefixItems" in schema:
        yield Breach(
            "tuple_items",
            "a list whose items mean something by their position",
            "clients refuse a list without one item type, and a model mixes the positions up",
            "use an Input model, so that each value has a name",
        )
    elif not schema.get("items"):
        yield Breach(
            "untyped_items",
            "a list whose items have no type",
            "some clients refuse the whole tool list for it, and the model guesses",
            "name the item type: list[Line], not list",
        )


def _number_bounds(node: Node) -> Iterator[Breach]:
    if not {"integer", "number"} & set(types_of(node.schema)):
        return
    low, high = _range(node.schema)
    if low is None or high is None:
        yield Breach(
            "unbounded_number",
            "a number without both bounds",
            "a model that misreads a prompt sends what no domain allows, and it reaches the handler",
            "add Field(ge=…, le=…)",
        )
    elif max(abs(low), abs(high)) > MAX_SAFE_INTEGER:
        yield Breach(
            "unsafe_number",
            "a number beyond ±(2^53-1)",
            "JSON parsers round such numbers without saying so",
            "use a string of digits, or tighter bounds",
        )


def _range(schema: Schema) -> tuple[float | None, float | None]:
    """The least and the most that a number may be; `None` where it has no bound."""
    if schema.get("enum"):
        return min(schema["enum"]), max(schema["enum"])
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    return low, schema.get("maximum", schema.get("exclusiveMaximum"))


def _open_types(node: Node) -> Iterator[Breach]:
    schema = node.schema
    if not schema.keys() & {"type", "enum", "anyOf", "allOf", "$ref"}:
        yield Breach(
            "untyped_value",
            "a value of any type",
            "nothing can be checked, and the model invents a shape",
            "name the type",
        )
    has_free_keys = schema.get("additionalProperties") is not False or "patternProperties" in schema
    is_reported = any(note.name in ("foreign_model", "loosened_model") for note in node.marks(Noted))
    if "object" in types_of(schema) and has_free_keys and not is_reported:
        yield Breach(
            "free_form_object",
            "an object with free keys",
            "strict clients turn it into an object without members, so the model can never fill it",
            "use a list of {key, value} items, or an Input model",
        )


def _untagged(node: Node) -> Iterator[Breach]:
    if "anyOf" not in node.schema:
        return
    is_undeclared = any(note.name == "undeclared_tag" for note in node.marks(Noted))
    objects = [arm for arm in arms_of(node.schema, node.root) if "properties" in arm or "anyOf" in arm]
    if len(objects) > 1 and (is_undeclared or tag_of(node.schema, node.root) is None):
        yield Breach(
            "untagged_union",
            "a choice of objects that nothing tells apart",
            "a model mixes their members, and no error can say which one it meant",
            "give each a Literal field of the same name, and Field(discriminator=…)",
        )


def _number_or_text(node: Node) -> Iterator[Breach]:
    arms = arms_of(node.schema, node.root) if "anyOf" in node.schema else []
    kinds = {kind for arm in arms if "enum" not in arm for kind in types_of(arm)}
    if "string" in kinds and kinds & {"integer", "number"}:
        yield Breach(
            "number_or_text",
            "a number or free text",
            "models drop the quotes, and a long id loses its digits before the server sees it",
            "take text only, with a pattern",
        )


def _keys(node: Node) -> Iterator[Breach]:
    if not node.is_property:
        return
    if not _KEY.fullmatch(node.name):
        yield Breach(
            "argument_name",
            "a name that clients refuse",
            "one such key makes a model API refuse every tool of the server",
            "use letters, digits, _ . and -, at most 64 of them",
        )
    before = takewhile(lambda name: name != node.name, node.parents[0]["properties"])
    twin = next((name for name in before if names.alike(name) == names.alike(node.name)), None)
    if twin is not None:
        yield Breach(
            "alike_arguments",
            f"{node.name} and {twin} look alike",
            "a model takes one for the other",
            "rename one of them",
        )


def _enum(node: Node) -> Iterator[Breach]:
    values = cast("list[Json] | None", node.schema.get("enum"))
    if values is None:
        return
    if len(values) > MAX_ENUM:
        yield Breach(
            "large_enum",
            f"an enum of {len(values)} values",
            "each value costs tokens in every request, and a new one is a deploy",
            "use a pattern and look the value up on the server",
            severity="warning",
        )
    if not values:
        yield Breach("empty_enum", "an enum without values", "nothing can be sent", "give it values")
    if not all(isinstance(value, str) for value in values):
        yield Breach(
            "enum_not_text",
            "an enum of values that are not text",
            "a model API with text-only enums refuses every tool of the request",
            "use text values and convert them in the handler, or a number with ge and le",
        )


def _default(node: Node) -> Iterator[Breach]:
    if "default" in node.schema and not _fits(node.schema["default"], node.schema):
        yield Breach(
            "bad_default",
            "a default that the field itself would refuse",
            "what a caller leaves out reaches the handler unchecked",
            "make the default one of the accepted values",
        )


def _fits(value: Json, schema: Schema) -> bool:
    """Whether `value` keeps the vocabulary and the bounds; its type is the type checker's business."""
    size = len(cast("list[Json]", value)) if isinstance(value, str | list) else value
    low, high = ("minLength", "maxLength") if isinstance(value, str) else ("minItems", "maxItems")
    if isinstance(value, int | float):
        low, high = "minimum", "maximum"
    if not isinstance(size, int | float):
        return True
    return value in schema.get("enum", [value]) and schema.get(low, size) <= size <= schema.get(high, size)


def _takes_null(node: Node) -> bool:
    kinds = types_of(node.schema)
    has_arm = any(arm.get("type") == "null" for arm in node.schema.get("anyOf", ()))
    return has_arm or None in node.schema.get("enum", ()) or ("null" in kinds and (len(kinds) > 1 or node.is_property))


def _nullable_input(node: Node) -> Iterator[Breach]:
    if _takes_null(node) and not node.marks(Nullable):
        yield Breach(
            "nullable_argument",
            "an argument that can be null",
            "nobody knows whether null clears a value or stands for a missing one, and some clients refuse such a type",
            "give it the default None, so that it may be left out; or mark it Nullable() if null has a meaning",
        )


def _nullable_output(node: Node) -> Iterator[Breach]:
    if (_takes_null(node) and not node.marks(NullCell)) or node.marks(Nullable):
        yield Breach(
            "nullable_output",
            "an output that can be null",
            "null, absent and empty become three ways to say one thing",
            "give the field the default None; it is then left out when it has no value",
        )


def _server_path(node: Node) -> Iterator[Breach]:
    if node.marks(PathUnder):
        yield Breach(
            "server_path",
            "a path of the server in a result",
            "it tells where the server keeps its files",
            "return the relative name as a str",
        )


_SHAPE: tuple[Rule, ...] = (_array_bounds, _number_bounds, _open_types, _untagged, _keys, _default)
INPUT_SHAPE: tuple[Rule, ...] = (*_SHAPE, _number_or_text, _enum, _nullable_input)
"""Rules about the shape of an input."""

OUTPUT_SHAPE: tuple[Rule, ...] = (*_SHAPE, _nullable_output, _server_path)
"""Rules about the shape of an output."""
