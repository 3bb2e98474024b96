"""What a schema accepts, as a validator of its dialect says: the judge of `fix_schema`. Fetches nothing."""

from __future__ import annotations

import re
from typing import Protocol, cast

from jsonschema.exceptions import SchemaError
from jsonschema.validators import Draft202012Validator, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from fourfold.model.contract import JsonObject

__all__ = ["Judge", "Unjudged"]


class Unjudged(Exception):
    """The validator can't say what a schema accepts; the message says why."""


class _Validator(Protocol):
    def is_valid(self, instance: object) -> bool: ...


class _Dialect(Protocol):
    def __call__(self, schema: JsonObject, *, registry: object) -> _Validator: ...

    def check_schema(self, schema: JsonObject) -> None: ...


class Judge:
    """Says of values whether a schema accepts them. Formats are notes and limit nothing (2020-12, 7.2.1)."""

    def __init__(self, schema: JsonObject) -> None:
        """Reads `schema`.

        Raises:
            Unjudged: it is no schema of its dialect.
        """
        empty: Registry[object] = Registry()
        if not isinstance(schema.get("$schema", ""), str):
            raise Unjudged("its $schema is no text")
        dialect = cast("_Dialect", validator_for(schema, default=Draft202012Validator))
        try:
            dialect.check_schema(schema)
        except (SchemaError, RecursionError, ValueError, TypeError):
            raise Unjudged("it is no valid JSON Schema") from None
        # An empty registry: the validator's own default would fetch references from the network.
        self._validator = dialect(schema, registry=empty)

    def accepts(self, value: object) -> bool:
        """Whether `value` is accepted.

        Raises:
            Unjudged: a reference leads nowhere, a pattern is none here, or the schema has no end.
        """
        try:
            return self._validator.is_valid(value)
        except Unresolvable:
            raise Unjudged("a reference leads out of it, or nowhere") from None
        except (re.error, RecursionError, TypeError, ValueError, AttributeError, KeyError) as error:
            # The metaschema knows nothing of what references lead to, so that anything may stand there.
            raise Unjudged(f"it can't be judged ({type(error).__name__})") from None
