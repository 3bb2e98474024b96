"""Values made from a schema: whole ones, and such that hold a given part at a given place."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from fourfold.contracts.conform import Misfit, fitting
from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.prove.members import chosen_names, member_schema
from fourfold.prove.numbers import a_number
from fourfold.prove.plain import BANNED, UNIONS, arm_of, as_list, as_schemas, plain
from fourfold.prove.sample import Unmakeable
from fourfold.prove.texts import LONG, a_text

__all__ = ["Arm", "Known", "Step", "Style", "Values", "type_of"]

Known = Callable[[str], tuple[object, ...]]
"""Values that are known for an argument of that name: ids that were listed, examples of the team."""

Style = Literal["minimal", "typical", "maximal"]
"""Which optional members a value has: none, those whose value somebody thought of, all. The last has long texts."""

_DEEPEST = 14
_OPTIONAL_DEPTH = 4
"""Optional members are left out below this, so that schemas which hold themselves come to an end."""

_MANY = 3
_MOST_ITEMS = 5_000
_OWN = 4
_ROLLS = 40
_ANY_TEXT = "example"
_SIMPLE = (
    *("type", "enum", "const", "minLength", "maxLength", "pattern", "minItems", "maxItems", "required"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minProperties", "maxProperties"),
)


@dataclass(frozen=True, slots=True)
class Arm:
    """A choice: the arm of the first union of a schema."""

    index: int


Step = str | int | Arm
"""How one comes from a schema to one inside it: to a member, to an item, or to an arm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """Makes values for the schemas of one root.

    Attributes:
        root: what `#/…` refers to.
        dice: what decides where there is a choice.
        known: values by the name of the argument.
        style: how much is in them.
        long: characters of a long text.
    """

    root: JsonObject
    dice: random.Random
    known: Known
    style: Style = "minimal"
    long: int = LONG

    def whole(self, schema: JsonObject, *, name: str = "", depth: int = 0) -> Json:
        """A value that the plain `schema` takes.

        Raises:
            Unmakeable: none can be made.
        """
        if depth > _DEEPEST:
            raise Unmakeable("$ref", "")
        thought_of = self._thought_of(schema, name)
        if thought_of:
            return self.dice.choice(thought_of)
        if schema.get(UNIONS):
            return self._of_an_arm(schema, name, depth)
        return self._made(schema, name, depth)

    def holding(self, schema: JsonObject, steps: Sequence[Step], *, part: Json, name: str = "", depth: int = 0) -> Json:
        """A value of the plain `schema` that holds `part` where `steps` lead.

        Raises:
            Unmakeable: what has to be around it cannot be made.
        """
        if not steps:
            return part
        first, *rest = steps
        match first:
            case Arm(index=index):
                arm = arm_of(schema, schema[UNIONS][0][index], root=self.root)
                return self.holding(arm, rest, part=part, name=name, depth=depth)
            case str():
                inside = self.holding(
                    member_schema(schema, first, root=self.root), rest, part=part, name=first, depth=depth + 1
                )
                return {**self.an_object(schema, depth=depth, also=(first,)), first: inside}
            case _:
                items = self.a_list(schema, name=name, depth=depth, least=first + 1)
                items[first] = self.holding(self.item(schema, first), rest, part=part, name=name, depth=depth + 1)
                return items

    def _thought_of(self, schema: JsonObject, name: str) -> list[Json]:
        """Values that somebody thought of, the best kind of them: what is known, else examples, else the default."""
        known = [*self.known(name), *self.known(name.removesuffix("s"))] if name else []
        examples = [*as_list(schema.get("examples")), *([schema["example"]] if "example" in schema else [])]
        default = [schema["default"]] if schema.get("default") is not None else []
        for kind in (known, examples, default):
            fit = [value for value in kind if self._fits(value, schema)]
            if fit:
                return fit
        return []

    def _fits(self, value: Json, schema: JsonObject) -> bool:
        """Whether a value fits as far as its own keywords go; what is inside it is for the judges."""
        simple = json.dumps({key: schema[key] for key in _SIMPLE if key in schema})
        if value in schema.get(BANNED, ()) or _judge(simple)(value):
            return False
        return not schema.get(UNIONS) or any(self._fits_arm(value, schema, arm) for arm in schema[UNIONS][0])

    def _fits_arm(self, value: Json, schema: JsonObject, arm: Json) -> bool:
        try:
            return self._fits(value, arm_of(schema, arm, root=self.root))
        except Unmakeable:
            return False

    def _of_an_arm(self, schema: JsonObject, name: str, depth: int) -> Json:
        """A value of the first arm that has one; of `null` only if there is nothing else."""
        stopped = Unmakeable("anyOf", "")
        last: list[JsonObject] = []
        for written in schema[UNIONS][0]:
            try:
                arm = arm_of(schema, written, root=self.root)
                if type_of(arm) != "null":
                    return self.whole(arm, name=name, depth=depth + 1)
                last.append(arm)
            except Unmakeable as unmakeable:
                stopped = unmakeable
        if not last:
            raise stopped
        return self.whole(last[0], name=name, depth=depth + 1)

    def _made(self, schema: JsonObject, name: str, depth: int) -> Json:
        listed = listed_values(schema)
        if listed is not None:
            fit = [value for value in listed if self._fits(value, schema)]
            if not fit:
                raise Unmakeable("enum", "")
            return fit[0]
        made = self._of_type(schema, name, depth)
        if made in schema.get(BANNED, ()):
            raise Unmakeable("not", "")
        return made

    def _of_type(self, schema: JsonObject, name: str, depth: int) -> Json:
        large = self.style == "maximal"
        match type_of(schema):
            case "object":
                return self.an_object(schema, depth=depth)
            case "array":
                return self.a_list(schema, name=name, depth=depth)
            case "integer" | "number":
                return a_number(schema, large=large)
            case "boolean":
                return large
            case "null":
                return None
            case "string":
                return a_text(schema, self.dice, name=name, long=self.long if large else 0)
            case _:
                return _ANY_TEXT

    def an_object(self, schema: JsonObject, *, depth: int, also: Sequence[str] = ()) -> dict[str, Json]:
        """An object with what is required, `also`, and what the style adds; nothing of `also` if it cannot be made.

        Raises:
            Unmakeable: something that is required cannot be made.
        """
        made: dict[str, Json] = {}
        for member in chosen_names(schema, self.dice, wanted=[*also, *self._optional(schema, depth)]):
            try:
                made[member] = self.whole(member_schema(schema, member, root=self.root), name=member, depth=depth + 1)
            except Unmakeable as unmakeable:
                if member in as_list(schema.get("required")):
                    raise unmakeable.within(member) from None
        return made

    def _optional(self, schema: JsonObject, depth: int) -> list[str]:
        listed: list[str] = [*schema.get("properties", ())]
        if depth > _OPTIONAL_DEPTH:
            return []
        if self.style == "minimal":
            # A constant below the top tells the arms of a union apart, whether it is required or not.
            return [name for name in listed if depth and "const" in as_schemas(schema["properties"][name])]
        return listed if self.style == "maximal" else [name for name in listed if self._is_thought_of(schema, name)]

    def _is_thought_of(self, schema: JsonObject, name: str) -> bool:
        try:
            return bool(self._thought_of(member_schema(schema, name, root=self.root), name))
        except Unmakeable:
            return False

    def item(self, schema: JsonObject, index: int) -> JsonObject:
        """The plain schema of the item at `index`.

        Raises:
            Unmakeable: there may be none.
        """
        # Before 2020-12, a list of `items` was what `prefixItems` is now.
        items: Json = schema.get("items", True)
        first = as_list(schema.get("prefixItems")) or as_list(items)
        if index < len(first):
            return plain(first[index], self.root)
        return plain(schema.get("additionalItems", True) if isinstance(items, list) else items, self.root)

    def a_list(self, schema: JsonObject, *, name: str = "", depth: int, least: int = 0) -> list[Json]:
        """A list of at least `least` items.

        Raises:
            Unmakeable: it cannot have so many, or they cannot be made.
        """
        low, high = max(int(schema.get("minItems", 0)), least), int(schema.get("maxItems", _MOST_ITEMS))
        if low > min(high, _MOST_ITEMS):
            raise Unmakeable("maxItems" if low > high else "minItems", "")
        many = self.style == "maximal" and depth <= _OPTIONAL_DEPTH
        made = self._contained(schema, name, depth)
        wanted = max(low, min(high, _MANY)) if many else low
        for index in range(len(made), min(wanted, self._differing(schema))):
            made.append(self._next_item(schema, made, name=name, depth=depth, index=index))
        return [*made, *made[-1:] * (wanted - len(made))]

    def _differing(self, schema: JsonObject) -> int:
        """How many items are made one by one: beyond the first few of a kind, another one shows nothing new."""
        if schema.get("uniqueItems") is True:
            return _MOST_ITEMS
        return _OWN + len(as_list(schema.get("prefixItems"))) + len(as_list(schema.get("items")))

    def _contained(self, schema: JsonObject, name: str, depth: int) -> list[Json]:
        if "contains" not in schema:
            return []
        inside = plain({"allOf": [schema["contains"], schema.get("items", True)]}, self.root)
        return [self.whole(inside, name=name, depth=depth + 1) for _ in range(int(schema.get("minContains", 1)))]

    def _next_item(self, schema: JsonObject, before: list[Json], *, name: str, depth: int, index: int) -> Json:
        inside = self.item(schema, index)
        made = self.whole(inside, name=name, depth=depth + 1)
        if schema.get("uniqueItems") is not True or made not in before:
            return made
        new = (each for each in self.others(inside, name=name, depth=depth) if each not in before)
        found = next(new, None)
        if found is None:
            raise Unmakeable("uniqueItems", "")
        return found

    def others(self, schema: JsonObject, *, name: str, depth: int) -> Iterator[Json]:
        """More values of a plain schema: what is listed, counted or rolled otherwise than the first one."""
        yield from listed_values(schema) or ()
        for roll in range(_ROLLS):
            numbered: JsonObject = schema
            match type_of(schema):
                case "integer" | "number":
                    low = schema.get("minimum", 0)
                    numbered = {**schema, "minimum": low + roll} if isinstance(low, int) else schema
                case "string" if "pattern" not in schema and "format" not in schema:
                    yield f"example {roll}"
                case _:
                    pass
            try:
                style: Style = ("minimal", "maximal", "typical")[roll % 3]
                yield replace(self, style=style).whole(numbered, name=name, depth=depth + 1)
            except Unmakeable:
                continue


@lru_cache(maxsize=1_000)
def _judge(schema: str) -> Callable[[object], tuple[Misfit, ...]]:
    return fitting(json.loads(schema))


def listed_values(schema: JsonObject) -> list[Json] | None:
    """The values that `const` or `enum` leave; `None` if neither is there."""
    if "const" in schema:
        return [schema["const"]]
    return as_list(schema["enum"]) if "enum" in schema else None


_TELLING = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "string": ("pattern", "format", "minLength", "maxLength"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def type_of(schema: JsonObject) -> str:
    """The type that a plain schema names, else the one that its keywords are about; empty if they say nothing."""
    kind: Json = schema.get("type")
    if isinstance(kind, str):
        return kind
    return next((each for each, keywords in _TELLING.items() if any(word in schema for word in keywords)), "")
