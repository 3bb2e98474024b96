"""What the emitter noted because a schema cannot say it (`contracts.emit.Noted`), as broken rules with their fixes."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.breach import Breach
from fourfold.contracts.emit import Noted
from fourfold.contracts.walk import Node

__all__ = ["flaws"]

_FLAWS = {
    "naive_datetime": (
        "a date and time that may have no zone",
        "an offset that is stripped on the way makes two instants of one",
        "use pydantic.AwareDatetime, or date where no time is meant",
    ),
    "rewritten_text": (
        "text that is changed before its bounds are checked ({detail})",
        "the published bounds are about what is sent, and not about what is left of it",
        "say with a pattern what is accepted, or change it in the handler",
    ),
    "early_validator": (
        "the validator {detail} runs before the check",
        "dates, enums and tuples behind it are refused, and the schema cannot say what it lets in",
        'use mode="after" or AfterValidator, which get the typed value',
    ),
    "foreign_model": (
        "{detail} is neither an Input nor an Output",
        "only those are closed and strict at every depth",
        "make it a subclass of Input or Output",
    ),
    "loosened_model": (
        "{detail}",
        "the model would accept what its published schema refuses",
        "leave the settings of Input and Output as they are",
    ),
    "loosened_bound": (
        "a bound that a looser one replaces: {detail}",
        "only the last one is checked, so that a limit which somebody set is gone",
        "leave out the looser one",
    ),
    "own_schema": (
        "{detail} writes JSON Schema of its own",
        "what it says and what is checked drift apart",
        "leave the schema to the type and its constraints",
    ),
    "unchecked_value": (
        "{detail} skips validation",
        "anything would reach the handler, under a schema that says otherwise",
        "leave SkipValidation out",
    ),
    "split_alias": (
        "{detail} has more than one name in JSON",
        "the schema publishes one of them, and another one is read or written",
        "give it one alias=…, or none",
    ),
    "flag_enum": (
        "{detail} is a Flag, whose values combine",
        "a sum of members is a value that the published list does not have",
        "use a list of an enum's values",
    ),
    "odd_vocabulary": (
        "a vocabulary of {detail}",
        "JSON has no such values, so that nothing that is sent would ever match",
        "use text values, and convert them in the handler",
    ),
    "unpublished_field": (
        "{detail}, so the result differs from the output contract",
        "every result would be refused when it is checked",
        "make it a plain field, and fill it where the result is made",
    ),
}
_FLAWS_OF_OUTPUT = frozenset({"unpublished_field"})


def flaws(node: Node, *, side: str) -> Iterator[Breach]:
    """What is wrong at `node` though its schema looks right."""
    for flaw in node.marks(Noted):
        if flaw.name in _FLAWS and (side == "output" or flaw.name not in _FLAWS_OF_OUTPUT):
            what, why, fix = _FLAWS[flaw.name]
            yield Breach(flaw.name, what.format(detail=flaw.detail), why, fix)
