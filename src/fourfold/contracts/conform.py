"""Whether a value fits a JSON Schema that somebody else wrote: any dialect, nothing fetched, nothing that hangs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache, partial
from importlib import import_module
from itertools import islice
from typing import Any, cast
from urllib.parse import urlsplit

from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject

__all__ = ["Misfit", "fitting", "is_understood", "misfits"]

_MAX_MISFITS = 20
_MAX_PATTERN = 200
_MAX_MATCHED = 2_000
_ODD = (RecursionError, re.error, ValueError, TypeError, KeyError, AttributeError)
"""A stranger's schema may be wrong in ways that no check of schemas knows, and that is not the value's fault."""

_NESTED_REPEAT = re.compile(r"[+*}]\)[+*{?]|\)[+*{].*\)[+*{]|\|[^()]*\)[+*{]|\(\?[<=!]|\\[1-9]")
"""What may take a backtracking engine for ever: repeats of repeats or of choices, look-arounds, back references."""


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
    return fitting(schema)(value)


def fitting(schema: JsonObject, *, formats: bool = False) -> Callable[[object], tuple[Misfit, ...]]:
    """`misfits` of one schema for many values: the schema is read once.

    Args:
        schema: a JSON Schema, or what somebody took for one.
        formats: whether a text has to have the `format` that the schema names; else that only describes it.
    """
    library = _library()
    try:
        validator = _validator(schema, formats=formats)
    except (library.SchemaError, *_ODD):
        return lambda _: ()
    return partial(_found, validator)


def is_understood(schema: JsonObject) -> bool:
    """Whether it is a schema of its dialect at all; one that is none takes everything."""
    try:
        _validator(schema, formats=False)
    except (_library().SchemaError, *_ODD):
        return False
    return True


def _found(validator: Any, value: object) -> tuple[Misfit, ...]:
    unresolvable = cast("Any", import_module("referencing.exceptions")).Unresolvable
    try:
        return tuple(_misfit(error) for error in islice(validator.iter_errors(value), _MAX_MISFITS))
    except (unresolvable, *_ODD):
        return ()


def _validator(schema: JsonObject, *, formats: bool) -> Any:
    # Reading a schema takes longer than a call of a tool does, and most are asked about again.
    return _read(json.dumps(schema, default=dict), formats=formats)


@lru_cache(maxsize=1_000)
def _read(text: str, *, formats: bool) -> Any:
    schema = cast("JsonObject", json.loads(text))
    library = _library()
    dialect = schema.get("$schema")
    default = library.Draft202012Validator
    known = library.validators.validator_for(schema, default=default) if isinstance(dialect, str) else default
    known.check_schema(schema)
    kind = _with_quick_patterns(known)
    # An empty registry: the default one would fetch what a server's schema refers to.
    registry = cast("Any", import_module("referencing")).Registry()
    return kind(schema, registry=registry, format_checker=_formats(kind.FORMAT_CHECKER) if formats else None)


@cache
def _with_quick_patterns(known: Any) -> Any:
    return _library().validators.extend(known, {"pattern": _pattern})


def _formats(known: Any) -> Any:
    """The formats that the library knows by itself, and two that it has only with more packages (RFC 3339, 3986)."""
    checker = _library().FormatChecker(known.checkers)
    checker.checks("date-time", raises=ValueError)(_is_moment)
    checker.checks("uri", raises=ValueError)(_is_uri)
    return checker


def _is_moment(value: object) -> bool:
    if not isinstance(value, str):
        return True
    return value[10:11] in "Tt" and datetime.fromisoformat(value.upper()).tzinfo is not None


def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or (bool(urlsplit(value).scheme) and not re.search(r"[^!-~]", value))


def _library() -> Any:
    # jsonschema is half typed; what comes out of here is typed.
    return cast("Any", import_module("jsonschema"))


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
