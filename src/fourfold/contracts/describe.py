"""Renders the description that a model reads from the parts of the selection contract (requirement B1)."""

from __future__ import annotations

from fourfold.model.contract import JsonObject, Selection
from fourfold.model.effect import Effect

__all__ = ["MAX_DESCRIPTION", "describe"]

MAX_DESCRIPTION = 1024
"""Characters of a rendered description at most: the shortest cut of the clients that cut (about 250 tokens)."""


def describe(selection: Selection, effect: Effect, *, output: JsonObject) -> str:
    """The description: what it does, when to use it and when not, inputs, output with limits, what it commits."""
    parts = [
        _sentence(selection.does),
        _sentence(f"Use when {selection.use_when}"),
        _sentence(f"Not for {selection.not_for}"),
        _sentence(selection.inputs),
        _sentence(selection.returns or _returns(output)),
        effect.boundary,
    ]
    return " ".join(part for part in parts if part)


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if not text or text[-1] in ".?!" else f"{text}."


def _returns(output: JsonObject) -> str:
    """What comes back, from the output schema: the names, and how many items a page has at most."""
    properties = output.get("properties", {})
    most = properties.get("items", {}).get("maxItems")
    if most is not None and "has_more" in properties:
        fields = ", ".join(properties["items"]["items"].get("properties", {}))
        return f"Returns at most {most} items a page, each with {fields}; next_cursor while there are more"
    return f"Returns {', '.join(properties)}" if properties else "Returns nothing but success"
