"""Whether a value fits a JSON Schema that somebody else wrote: any dialect, nothing fetched, nothing that hangs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any, cast

from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject

__all__ = ["Misfit", "misfits"]

_MAX_MISFITS = 20
_MAX_PATTERN = 200
_MAX_MATCHED = 2_000
_NESTED_REPEAT = re.compile(r"[+*}]\)[+*{?]|\)[+*{].*\)[+*{]|\(\?[<=!]|\\[1-9]")
"""What may take a backtracking engine for ever: repeats of repeats, look-arounds, back references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """One way in which a value breaks a schema.

    Attributes:
        pointer: JSON Pointer into the value.
        keyword: the keyword of the schema that it breaks, such as `required`.
        expected: what that keyword says, as text, cut to 80 characters.
    """

    pointer: str
    keyword: str
    expected: str


def misfits(value: object, schema: JsonObject) -> tuple[Misfit, ...]:
    """How `value` breaks `schema`, the first 20; none if it fits, or if the schema itself can't be understood.

    The dialect is the one that `$schema` names, else 2020-12. References outside the schema are not followed.
    """
    # jsonschema is half typed; what comes out of here is typed.
    library = cast("Any", import_module("jsonschema"))
    unresolvable = cast("Any", import_module("referencing.exceptions")).Unresolvable
    try:
        return tuple(_misfit(error) for error in islice(_errors(library, value, schema), _MAX_MISFITS))
    except (
        library.SchemaError,
        unresolvable,
        RecursionError,
        re.error,
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
    ):
        # A stranger's schema may be wrong in ways that no check of schemas knows, and that is not the value's fault.
        return ()


def _errors(library: Any, value: object, schema: JsonObject) -> Iterator[Any]:
    dialect = schema.get("$schema")
    default = library.Draft202012Validator
    known = library.validators.validator_for(schema, default=default) if isinstance(dialect, str) else default
    known.check_schema(schema)
    kind = library.validators.extend(known, {"pattern": _pattern})
    # An empty registry: the default one would fetch what a server's schema refers to.
    registry = cast("Any", import_module("referencing")).Registry()
    return kind(schema, registry=registry).iter_errors(value)


def _misfit(error: Any) -> Misfit:
    path = cast("Iterable[str | int]", error.absolute_path)
    return Misfit(pointer=pointer(*path), keyword=str(error.validator), expected=str(error.validator_value)[:80])


def _pattern(*given: object) -> Iterator[Exception]:
    """The keyword, as the library calls it: validator, value of the keyword, value under test, schema."""
    _, pattern, instance, _ = given
    if not isinstance(pattern, str) or not isinstance(instance, str) or not _is_quick(pattern, instance):
        return
    if re.search(pattern, instance) is None:
        yield cast("Any", import_module("jsonschema")).ValidationError("does not match")


def _is_quick(pattern: str, text: str) -> bool:
    return len(pattern) <= _MAX_PATTERN and len(text) <= _MAX_MATCHED and _NESTED_REPEAT.search(pattern) is None
