"""Members of made-up objects: which ones there are, and the schema of each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.prove.matching import text_maker
from fourfold.prove.plain import as_list, as_schemas, plain
from fourfold.prove.sample import Unmakeable
from fourfold.prove.texts import a_text, matches

__all__ = ["chosen_names", "is_closed", "member_schema", "new_name"]

_INVENTED = "extra"


def member_schema(schema: JsonObject, name: str, *, root: JsonObject) -> JsonObject:
    """The plain schema of a member of that name.

    Raises:
        Unmakeable: there may be none.
    """
    own = as_schemas(schema.get("properties"))
    fitting = [own[name]] if name in own else []
    patterns = as_schemas(schema.get("patternProperties"))
    fitting += [inside for pattern, inside in patterns.items() if matches(pattern, name)]
    return plain({"allOf": fitting} if fitting else _rest(schema), root)


def is_closed(schema: JsonObject) -> bool:
    """Whether it takes no names but those that it lists."""
    return _rest(schema) is False


def chosen_names(schema: JsonObject, dice: random.Random, *, wanted: Sequence[str]) -> list[str]:
    """The names of an object: what it requires and what that needs, as many of `wanted` as it may have, and enough.

    Raises:
        Unmakeable: it must have more members than there are names for.
    """
    names = _with_needs(schema, as_list(schema.get("required")))
    for name in wanted:
        more = _with_needs(schema, [*names, name])
        if len(more) <= schema.get("maxProperties", len(more)):
            names = more
    for name in _spare(schema, dice):
        if len(names) >= schema.get("minProperties", 0):
            break
        names = _with_needs(schema, [*names, name])
    if len(names) < schema.get("minProperties", 0):
        raise Unmakeable("minProperties", "")
    return names


def new_name(schema: JsonObject, dice: random.Random) -> str:
    """A name that is not listed and that the schema takes.

    Raises:
        Unmakeable: it takes none.
    """
    patterns = as_schemas(schema.get("patternProperties"))
    for pattern, inside in patterns.items():
        if inside is not False:
            return text_maker(pattern).text(dice, 3)
    if is_closed(schema):
        raise Unmakeable("additionalProperties", "")
    return a_text(as_schemas(schema.get("propertyNames")), dice) if "propertyNames" in schema else _INVENTED


def _rest(schema: JsonObject) -> Json:
    """The schema of members that are not listed."""
    return schema.get("additionalProperties", schema.get("unevaluatedProperties", True))


def _with_needs(schema: JsonObject, names: Sequence[str]) -> list[str]:
    """The names, and those that have to be there with them."""
    needs = {**as_schemas(schema.get("dependencies")), **as_schemas(schema.get("dependentRequired"))}
    found = dict.fromkeys(names)
    waiting = [*found]
    while waiting:
        new = [name for name in as_list(needs.get(waiting.pop())) if name not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return [*found]


def _spare(schema: JsonObject, dice: random.Random) -> Iterator[str]:
    yield from as_schemas(schema.get("properties"))
    try:
        name = new_name(schema, dice)
    except Unmakeable:
        return
    yield name
    yield from (f"{name}{number}" for number in range(2, 20))
