"""The rules about meaning: money, identity, authority, secrets, consent, queries (requirements A1, B2)."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts import names
from fourfold.contracts.breach import Breach, Rule, types_of
from fourfold.contracts.emit import Noted
from fourfold.contracts.markers import MinorUnits, Offered, Personal, Sandbox, Secret, Subject
from fourfold.contracts.walk import Node

__all__ = ["INPUT_MEANING", "OUTPUT_MEANING"]


def _float_money(node: Node) -> Iterator[Breach]:
    if names.is_money(node.name) and "number" in types_of(node.schema):
        yield Breach(
            "float_money",
            f"{node.name} is an amount of money and a floating-point number",
            "JSON has no decimal type: two sums of the same lines differ by a cent",
            "use Minor (an integer in minor units), or a Decimal with its digits bounded and a base quantity",
        )


def _money(node: Node) -> Iterator[Breach]:
    units = node.marks(MinorUnits)
    kinds = set(types_of(node.schema))
    if not units and names.is_money(node.name) and "integer" in kinds:
        yield Breach(
            "money_without_unit",
            f"{node.name} is an amount of money without a unit",
            "100 may be cents or euros, and both are valid",
            "use Minor, and end the name in _minor",
        )
    is_money = bool(units) or (names.is_money(node.name) and bool(kinds & {"integer", "number"}))
    is_fixed = bool(units) and bool(units[0].currency)
    if is_money and not is_fixed and not _has_currency(node):
        yield Breach(
            "money_without_currency",
            f"{node.name} has no currency beside or around it",
            "an account in EUR gets totalled in USD",
            "add a currency enum to the same object or one around it, or fix it with MinorUnits(currency=…)",
        )


def _has_currency(node: Node) -> bool:
    return any(names.is_currency(name) for parent in node.parents for name in parent.get("properties", {}))


def _currency(node: Node) -> Iterator[Breach]:
    schema = node.schema
    if not names.is_currency(node.name) or "string" not in types_of(schema):
        return
    if "enum" not in schema:
        yield Breach(
            "bare_currency",
            "a currency that is any text",
            "usd and USD are the same to a person and two branches to code",
            "use an enum of the currencies that you accept",
        )
    if "default" in schema and len(schema.get("enum", ())) != 1:
        yield Breach(
            "defaulted_currency",
            "a currency with a default",
            "whoever forgets it gets totals in the wrong currency, silently",
            "make it required",
        )


_MEANING_FIX = {
    "identity": "take it from Caller; the transport knows who calls",
    "authority": "decide it in the policy from the caller's scopes",
    "secret": "keep it on the server; a model must never hold it",
    "consent": "use a plan with an approval; a model that sets this has consented for the user",
}


def _meaning(node: Node) -> Iterator[Breach]:
    if not node.is_property:
        return
    kind = names.meaning(node.name)
    if kind is not None:
        yield Breach(
            f"{kind}_argument",
            f"{node.name} is {kind}, and the model would set it",
            "a model fills every argument that it sees; what it fills is not proof of anything",
            _MEANING_FIX[kind],
        )
    for alias in node.marks(Noted):
        hidden = names.meaning(alias.detail) if alias.name == "alias" else None
        if hidden is not None:
            yield Breach(
                "hidden_argument",
                f"{alias.detail} is {hidden} behind the alias {node.name}",
                "another name does not change who sets it",
                _MEANING_FIX[hidden],
            )


def _price(node: Node) -> Iterator[Breach]:
    is_amount = node.is_property and {"integer", "string"} & set(types_of(node.schema))
    if is_amount and names.is_price(node.name) and not node.marks(Offered):
        yield Breach(
            "authoritative_price",
            f"{node.name} is a price that the model would set",
            "prices belong to the system of record",
            "look it up on the server, or declare it as Offer[…] and check it against list price and floor",
        )


def _query(node: Node) -> Iterator[Breach]:
    is_free_text = "string" in types_of(node.schema) and "enum" not in node.schema
    if names.is_query(node.name) and is_free_text and not node.marks(Sandbox):
        yield Breach(
            "free_query",
            f"{node.name} is code that something would run",
            "free SQL or shell is every permission of the server at once",
            "use a typed tool for the question, or declare a Sandbox",
        )


def _marked_recursion(node: Node) -> Iterator[Breach]:
    marked = [kind.word for kind in (Secret, Personal, Subject) if node.marks(kind)]
    if node.steps[0] == "$defs" and marked:
        yield Breach(
            "marked_recursion",
            f"a {marked[0]} value inside a model that contains itself",
            "it can stand at any depth, so that no list of places finds it to mask it",
            "take it out of the recursive model",
        )


OUTPUT_MEANING: tuple[Rule, ...] = (_float_money, _money, _currency, _marked_recursion)
"""Rules about the meaning of an output."""

INPUT_MEANING: tuple[Rule, ...] = (*OUTPUT_MEANING, _meaning, _price, _query)
"""Rules about the meaning of an input."""
