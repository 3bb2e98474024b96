"""What a schema accepts, as a validator of its dialect says: the judge of `fix_schema`. Fetches nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol, cast

from jsonschema.validators import Draft202012Validator, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from fourfold.model.contract import JsonObject

__all__ = ["Judge", "Unjudged"]


class Unjudged(Exception):
    """The validator can't say what a schema accepts; the message says why."""


class _Validator(Protocol):
    def is_valid(self, instance: object) -> bool: ...


class Judge:
    """Says of values whether a schema accepts them. Formats are notes and limit nothing (2020-12, 7.2.1)."""

    def __init__(self, schema: JsonObject) -> None:
        # An empty registry: the validator's own default would fetch references from the network.
        empty: Registry[object] = Registry()
        make = cast("Callable[..., _Validator]", validator_for(schema, default=Draft202012Validator))
        self._validator = make(schema, registry=empty)

    def accepts(self, value: object) -> bool:
        """Whether `value` is accepted.

        Raises:
            Unjudged: the schema is none, refers to what is not there, or has no end.
        """
        try:
            return self._validator.is_valid(value)
        except (Unresolvable, re.error, RecursionError, TypeError, ValueError, AttributeError, KeyError) as error:
            # Not checked against its metaschema first: only keywords that a value meets can break.
            raise Unjudged(f"the schema can't be judged ({type(error).__name__})") from None
