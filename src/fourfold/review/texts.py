"""`texts`: every string of a listed tool, keys included, with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject
from fourfold.review.view import CatalogView

__all__ = ["PROSE", "Text", "catalog_texts", "shown", "texts"]

PROSE = frozenset({"description", "title", "instructions", "$comment"})
"""The fields that hold sentences for a reader."""

_MACHINE = frozenset({"pattern", "$ref", "$id", "$schema", "$anchor", "format", "icons"})
"""Fields whose strings no model takes for language: expressions, addresses of schemas, pictures."""

_NAMED = frozenset({"properties", "$defs", "definitions"})
"""Fields whose members have names of the author's choice, so that `format` there is no keyword."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One string of a definition.

    Attributes:
        pointer: JSON Pointer of the value; for a key, of the member that it names.
        text: the string as written.
        field: the nearest key above it, such as `description`, `enum` or `default`; the key itself for a key.
        is_key: whether it is the name of a member and not a value.
    """

    pointer: str
    text: str
    field: str
    is_key: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it names the tool or one of its arguments or fields."""
        return (self.is_key and self.pointer.split("/")[-2:-1] == ["properties"]) or self.pointer == "/name"


def texts(definition: JsonObject) -> Iterator[Text]:
    """Every string in `definition` that a model may read, in the order in which it is written."""
    waiting: list[tuple[str, str, object]] = [("", "", definition)]
    while waiting:
        at, field, value = waiting.pop()
        if isinstance(value, str):
            yield Text(pointer=at, text=value, field=field)
        elif isinstance(value, Mapping):
            members = [(key, part) for key, part in cast("JsonObject", value).items() if _is_read(field, key)]
            yield from (Text(pointer=at + pointer(key), text=key, field=key, is_key=True) for key, _ in members)
            waiting.extend((at + pointer(key), key, part) for key, part in reversed(members))
        elif isinstance(value, Sequence):
            items = cast("Sequence[object]", value)
            waiting.extend((at + pointer(index), field, items[index]) for index in reversed(range(len(items))))


def _is_read(field: str, key: str) -> bool:
    return field in _NAMED or key not in _MACHINE


def catalog_texts(catalog: CatalogView) -> Iterator[tuple[str, Text]]:
    """The server's instructions and the strings of all its tools, each with its tool's name (empty: of no tool)."""
    instructions = catalog.catalog.instructions
    if instructions:
        yield "", Text(pointer="/instructions", text=instructions, field="instructions")
    for tool in catalog.tools:
        for text in texts(tool.tool.definition):
            yield tool.name, text


def shown(text: str, *, most: int = 80) -> str:
    """`text` as a report may quote it: one line, at most `most` characters, nothing in it that a terminal obeys."""
    line = " ".join(text.split())
    plain = "".join(character if character.isprintable() else "?" for character in line)
    return plain if len(plain) <= most else f"{plain[: most - 3]}..."
