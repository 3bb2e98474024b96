"""The rules that schemas of a contract keep, each with its reason and its fix (requirements A1, B2, B3, C1).

A rule looks at one `Node` and yields what is broken there. `broken` runs all of them, honours waivers, and
reports every problem at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from fourfold.contracts import names
from fourfold.contracts.markers import MinorUnits, Nullable, Offered, Sandbox, Waived
from fourfold.contracts.patterns import is_finite
from fourfold.contracts.schema import Node, Schema, walk
from fourfold.contracts.strict_json import MAX_SAFE_INTEGER
from fourfold.errors import BuildProblem
from fourfold.model.contract import Waiver

__all__ = ["MAX_ENUM", "SchemaReview", "broken", "model_problems"]

MAX_ENUM = 25
"""Values of an enum above which a pattern and a lookup on the server serve better (requirement A11)."""

_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_BOUNDED_FORMATS = frozenset({"uuid", "date", "date-time", "time"})


@dataclass(frozen=True, slots=True)
class _Breach:
    """What one rule found at one node."""

    rule: str
    what: str
    why: str
    fix: str
    severity: str = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaReview:
    """What the rules say about one schema: the problems, and the waivers that were used."""

    problems: tuple[BuildProblem, ...]
    waivers: tuple[Waiver, ...]


def broken(schema: Schema, *, tool: str, side: str) -> SchemaReview:
    """Every rule that `schema` breaks. `side` is `input` or `output`; it prefixes where a problem is."""
    problems: list[BuildProblem] = []
    waivers: list[Waiver] = []
    rules = _INPUT_RULES if side == "input" else _OUTPUT_RULES
    for node in walk(schema):
        where = f"{tool}: {side} {node.pointer}"
        waived = {waiver.rule: waiver.reason for waiver in node.marks(Waived)}
        breaches = [breach for rule in rules for breach in rule(node)]
        problems.extend(_problem(breach, where) for breach in breaches if breach.rule not in waived)
        used = {breach.rule for breach in breaches} & waived.keys()
        waivers.extend(Waiver(rule=rule, where=f"{side} {node.pointer}", reason=waived[rule]) for rule in sorted(used))
        problems.extend(_problem(_unused(rule), where) for rule in sorted(waived.keys() - used))
    return SchemaReview(problems=tuple(problems), waivers=tuple(waivers))


def _problem(breach: _Breach, where: str) -> BuildProblem:
    return BuildProblem(
        rule=breach.rule, where=where, what=breach.what, why=breach.why, fix=breach.fix, severity=breach.severity
    )


def _unused(rule: str) -> _Breach:
    return _Breach(
        "unused_waiver",
        f"the waiver of {rule!r} sets nothing aside",
        "a waiver that does nothing hides the next real problem",
        "remove it",
    )


def _types(schema: Schema) -> tuple[str, ...]:
    kind: Any = schema.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _string_bounds(node: Node) -> Iterator[_Breach]:
    schema = node.schema
    if "string" not in _types(schema) or "enum" in schema or "maxLength" in schema:
        return
    if schema.get("format") in _BOUNDED_FORMATS or is_finite(schema.get("pattern", "")):
        return
    yield _Breach(
        "unbounded_string",
        "a string without a length bound",
        "one call can carry megabytes, and a model fills what it is given",
        "add Field(max_length=…), a pattern anchored by ^ and $, or an enum",
    )


def _array_bounds(node: Node) -> Iterator[_Breach]:
    if "array" not in _types(node.schema):
        return
    if "maxItems" not in node.schema:
        yield _Breach(
            "unbounded_array",
            "a list without a bound",
            "an unbounded list invites thousands of items in one call or one result",
            "add Field(max_length=…), or return a Page",
        )
    if not node.schema.get("items") and not node.schema.get("prefixItems"):
        yield _Breach(
            "untyped_items",
            "a list whose items have no type",
            "some clients refuse the whole tool list for it, and the model guesses",
            "name the item type: list[Line], not list",
        )


def _number_bounds(node: Node) -> Iterator[_Breach]:
    schema = node.schema
    if not {"integer", "number"} & set(_types(schema)) or "enum" in schema:
        return
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is None or high is None:
        yield _Breach(
            "unbounded_number",
            "a number without both bounds",
            "a model that misreads a prompt sends what no domain allows, and it reaches the handler",
            "add Field(ge=…, le=…)",
        )
    elif max(abs(low), abs(high)) > MAX_SAFE_INTEGER:
        yield _Breach(
            "unsafe_number",
            "bounds beyond ±(2^53-1)",
            "JSON parsers round such numbers without saying so",
            "use a string of digits, or tighter bounds",
        )


def _open_types(node: Node) -> Iterator[_Breach]:
    schema = node.schema
    if not schema.keys() & {"type", "enum", "anyOf", "allOf", "$ref"}:
        yield _Breach(
            "untyped_value",
            "a value of any type",
            "nothing can be checked, and the model invents a shape",
            "name the type",
        )
    if "object" in _types(schema) and schema.get("additionalProperties") is not False:
        yield _Breach(
            "free_form_object",
            "an object with free keys",
            "strict clients turn it into an object without members, so the model can never fill it",
            "use a list of {key, value} items, or an Input model",
        )


def _money(node: Node) -> Iterator[_Breach]:
    kinds = _types(node.schema)
    is_decimal = "number" in {kind for arm in node.schema.get("anyOf", ()) for kind in _types(arm)}
    if names.is_money(node.name) and ("number" in kinds or is_decimal):
        yield _Breach(
            "float_money",
            f"{node.name} is an amount of money and a floating-point number",
            "JSON has no decimal type: two sums of the same lines differ by a cent",
            "use Minor (an integer in minor units), or a decimal string with a base quantity",
        )
        return
    units = node.marks(MinorUnits)
    if units or (names.is_money(node.name) and "integer" in kinds):
        if not units:
            yield _Breach(
                "money_without_unit",
                f"{node.name} is an amount of money without a unit",
                "100 may be cents or euros, and both are valid",
                "use Minor, and end the name in _minor",
            )
        elif not units[0].currency and not _has_currency(node):
            yield _Breach(
                "money_without_currency",
                f"{node.name} has no currency beside or around it",
                "an account in EUR gets totalled in USD",
                "add a currency enum to the same object or one around it, or fix it with MinorUnits(currency=…)",
            )


def _has_currency(node: Node) -> bool:
    return any(names.is_currency(name) for parent in node.parents for name in parent.get("properties", {}))


def _currency(node: Node) -> Iterator[_Breach]:
    if not names.is_currency(node.name) or "string" not in _types(node.schema):
        return
    if "enum" not in node.schema:
        yield _Breach(
            "bare_currency",
            "a currency that is any text",
            "usd and USD are the same to a person and two branches to code",
            "use an enum of the currencies that you accept",
        )
    if "default" in node.schema:
        yield _Breach(
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


def _meaning(node: Node) -> Iterator[_Breach]:
    kind = names.meaning(node.name) if node.steps[-1] != "*" else None
    if kind is not None:
        yield _Breach(
            f"{kind}_argument",
            f"{node.name} is {kind}, and the model would set it",
            "a model fills every argument that it sees; what it fills is not proof of anything",
            _MEANING_FIX[kind],
        )
    if names.is_price(node.name) and not node.marks(Offered) and set(_types(node.schema)) & {"integer", "string"}:
        yield _Breach(
            "authoritative_price",
            f"{node.name} is a price that the model would set",
            "prices belong to the system of record",
            "look it up on the server, or declare it as Offer[…] and check it against list price and floor",
        )


def _query(node: Node) -> Iterator[_Breach]:
    if names.is_query(node.name) and "string" in _types(node.schema) and not node.marks(Sandbox):
        yield _Breach(
            "free_query",
            f"{node.name} is code that something would run",
            "free SQL or shell is every permission of the server at once",
            "use a typed tool for the question, or declare a Sandbox",
        )


def _keys(node: Node) -> Iterator[_Breach]:
    if not _KEY.fullmatch(node.name):
        yield _Breach(
            "argument_name",
            "a name that clients refuse",
            "one such key makes a model API refuse every tool of the server",
            "use letters, digits, _ . and -, at most 64 of them",
        )
    for parent in node.parents[:1]:
        twins = [
            name for name in parent["properties"] if name != node.name and names.alike(name) == names.alike(node.name)
        ]
        if twins:
            yield _Breach(
                "alike_arguments",
                f"{node.name} and {twins[0]} look alike",
                "a model takes one for the other",
                "rename one of them",
            )


def _enum(node: Node) -> Iterator[_Breach]:
    values = node.schema.get("enum", [])
    if len(values) > MAX_ENUM:
        yield _Breach(
            "large_enum",
            f"an enum of {len(values)} values",
            "each value costs tokens in every request, and a new one is a deploy",
            "use a pattern and look the value up on the server",
            severity="warning",
        )


def _nullable_output(node: Node) -> Iterator[_Breach]:
    arms = {kind for arm in node.schema.get("anyOf", ()) for kind in _types(arm)}
    if "null" in {*_types(node.schema), *arms} or node.marks(Nullable):
        yield _Breach(
            "nullable_output",
            "an output that can be null",
            "null, absent and empty become three ways to say one thing",
            "give the field the default None; it is then left out when it has no value",
        )


Rule = Callable[[Node], Iterator[_Breach]]
_SHARED: tuple[Rule, ...] = (_string_bounds, _array_bounds, _number_bounds, _open_types, _money, _currency, _keys)
_INPUT_RULES: tuple[Rule, ...] = (*_SHARED, _meaning, _query, _enum)
_OUTPUT_RULES: tuple[Rule, ...] = (*_SHARED, _nullable_output)


def model_problems(model: type[BaseModel], *, tool: str, side: str) -> Iterator[BuildProblem]:
    """What only the Python types show: names behind an alias, and dates without a zone."""
    for found, name, field in _fields(model):
        where = f"{tool}: {side} {found.__name__}.{name}"
        kind = names.meaning(name) if side == "input" and field.alias else None
        if kind is not None:
            yield _problem(
                _Breach(
                    f"{kind}_argument",
                    f"{name} is {kind} behind the alias {field.alias}",
                    "another name does not change who sets it",
                    _MEANING_FIX[kind],
                ),
                where,
            )
        if datetime in _types_in(field.annotation):
            yield _problem(
                _Breach(
                    "naive_datetime",
                    f"{name} is a date and time that may have no zone",
                    "an offset that is stripped on the way makes two instants of one",
                    "use pydantic.AwareDatetime, or date where no time is meant",
                ),
                where,
            )


def _fields(model: type[BaseModel]) -> Iterator[tuple[type[BaseModel], str, FieldInfo]]:
    """Every field of `model` and of the models inside it, each model once."""
    seen: set[type[BaseModel]] = set()
    queue = [model]
    while queue:
        found = queue.pop()
        if found in seen:
            continue
        seen.add(found)
        for name, field in found.model_fields.items():
            yield found, name, field
            queue.extend(kind for kind in _types_in(field.annotation) if issubclass(kind, BaseModel))


def _types_in(annotation: Any) -> list[type[Any]]:
    """The classes that an annotation is made of, at any depth."""
    inner = [kind for argument in get_args(annotation) for kind in _types_in(argument)]
    return [annotation, *inner] if isinstance(annotation, type) and not get_args(annotation) else inner
