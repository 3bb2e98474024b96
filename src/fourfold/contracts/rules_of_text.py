"""The rules about text: its bounds, its patterns, and what should not be text (requirements B2, C1)."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.breach import Breach, Rule, types_of
from fourfold.contracts.patterns import is_finite, is_portable
from fourfold.contracts.walk import Node

__all__ = ["TEXT"]

_BOUNDED_FORMATS = ("uuid", "date", "ip")
"""How the formats begin that bound their own length."""

_REFUSED_FORMATS = {
    "binary_text": ("binary", "base64", "base64url"),
    "duration_text": ("duration",),
    "open_path": ("path", "file-path", "directory-path"),
}


def _string_bounds(node: Node) -> Iterator[Breach]:
    schema = node.schema
    if "string" not in types_of(schema) or "enum" in schema or "maxLength" in schema:
        return
    named = schema.get("format", "")
    is_refused = any(named in formats for formats in _REFUSED_FORMATS.values())
    if named.startswith(_BOUNDED_FORMATS) or is_refused or is_finite(schema.get("pattern", "")):
        return
    yield Breach(
        "unbounded_string",
        "a string without a length bound",
        "one call can carry megabytes, and a model fills what it is given",
        "add Field(max_length=…), a pattern from ^ to $, or an enum; to a Decimal, max_digits and decimal_places",
    )


_FORMAT_BREACHES = {
    "binary_text": (
        "bytes in JSON",
        "JSON has no bytes: as text they flood the context of a model",
        "use a str, or pass a reference to where the bytes are",
    ),
    "duration_text": (
        "a duration as text",
        "its bounds cannot be published, and P1M is a month to one reader and a minute to another",
        "use an integer with its unit in the name, such as timeout_seconds, with ge and le",
    ),
    "open_path": (
        "a path without a root",
        "the model would name any file that the server can read",
        "use Annotated[Path, PathUnder(root)]",
    ),
}


def _text_forms(node: Node) -> Iterator[Breach]:
    named = node.schema.get("format")
    for rule, formats in _REFUSED_FORMATS.items():
        if named in formats:
            yield Breach(rule, *_FORMAT_BREACHES[rule])
    if not is_portable(node.schema.get("pattern", "")):
        yield Breach(
            "unportable_pattern",
            "a pattern that regular expressions of JavaScript read differently",
            "clients that check it themselves refuse the tool, or accept other text than the server",
            r"use sets, groups, bounded repeats, \d, \w and \s; no flags, look-around, \b or escapes of one engine",
        )


TEXT: tuple[Rule, ...] = (_string_bounds, _text_forms)
"""Rules about text, of an input and of an output."""
