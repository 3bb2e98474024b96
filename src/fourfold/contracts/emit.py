"""Emits the raw JSON Schema of a model, the same on every version of pydantic that we allow.

It differs from pydantic's own emitter in the forms that `contracts.exact` narrows, and it notes what a JSON Schema
cannot say: what only the validator or the serializer would do. `contracts.flaws` turns most notes into problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, Flag
from inspect import cleandoc
from types import NoneType
from typing import Annotated, ClassVar, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from fourfold.contracts.base import Form, Input, Output
from fourfold.contracts.exact import TIME_PATTERN, Text, as_frozenset, as_set, decimal_pattern
from fourfold.contracts.markers import MARKS, Marker

__all__ = ["Emitter", "Noted"]

Bound = tuple[str, float]
"""A constraint by its keyword, with a number or whatever else has an order."""

_SAME = ("strict", "extra", "allow_inf_nan")
"""Settings of `Input` that a model of a contract keeps."""

_OFF = (
    "coerce_numbers_to_str", "json_schema_extra", "populate_by_name", "regex_engine", "str_max_length",
    "str_min_length", "str_strip_whitespace", "str_to_lower", "str_to_upper", "validate_by_name",
)  # fmt: skip
"""Settings that tear what is published and what is accepted apart, so that no model of a contract has them."""


@dataclass(frozen=True, slots=True)
class Noted(Marker):
    """Something that the schema at this place cannot say; most names are the rules that report it."""

    word: ClassVar[str] = "noted"

    name: str
    detail: str = ""


class Emitter(GenerateJsonSchema):
    """The emitter of `contracts.schema.canonical`."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Text with as many digits as the field has."""
        pattern = decimal_pattern(cast("JsonSchemaValue", schema))
        return {"type": "string", "pattern": pattern} if pattern else {"type": "string"}

    def time_schema(self, schema: core_schema.TimeSchema) -> JsonSchemaValue:  # noqa: ARG002  # the base class names it
        """Text with a pattern: the format `time` would demand an offset."""
        return {"type": "string", "pattern": TIME_PATTERN}

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        """A date-time, flawed where it may have no zone."""
        published = super().datetime_schema(schema)
        return published if schema.get("tz_constraint") == "aware" else _noting(published, Noted("naive_datetime"))

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        """A string, flawed where it is changed before its bounds are checked."""
        changes = [key for key in ("strip_whitespace", "to_lower", "to_upper") if schema.get(key)]
        published = super().str_schema(schema)
        return _noting(published, Noted("rewritten_text", ", ".join(changes))) if changes else published

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        """An enum with its docstring noted, which pydantic describes it by; flawed where its values add up."""
        kind = cast("type[Enum]", schema["cls"])
        published = _noting(super().enum_schema(schema), Noted("docstring", cleandoc(kind.__doc__ or "")))
        published = _vocabulary(published, [member.value for member in kind])
        return _noting(published, Noted("flag_enum", kind.__name__)) if issubclass(kind, Flag) else published

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        """The values of a literal, flawed where JSON does not have them."""
        return _vocabulary(super().literal_schema(schema), schema["expected"])

    def function_after_schema(self, schema: core_schema.AfterValidatorFunctionSchema) -> JsonSchemaValue:
        """What the function gets; each item once where it makes a set."""
        published = super().function_after_schema(schema)
        makes_set = schema["function"]["function"] in (as_set, as_frozenset)
        return {**published, "uniqueItems": True} if makes_set else published

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> JsonSchemaValue:
        """What the function passes on, flawed where the author wrote it."""
        return _early(super().function_before_schema(schema), schema["function"]["function"])

    def function_wrap_schema(self, schema: core_schema.WrapValidatorFunctionSchema) -> JsonSchemaValue:
        """What the function passes on, flawed where the author wrote it."""
        return _early(super().function_wrap_schema(schema), schema["function"]["function"])

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """A dataclass, which is no model of a contract."""
        return _foreign(super().dataclass_schema(schema), schema["cls"])

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """A typed dictionary, which is no model of a contract."""
        return _foreign(super().typed_dict_schema(schema), cast("type", schema.get("cls", dict)))

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A model with what is to be noted about it and about its fields."""
        published = super().model_schema(schema)
        model = cast("type[BaseModel]", schema["cls"])
        properties = cast("JsonSchemaValue", published.get("properties", {}))
        for name, field in model.model_fields.items():
            wire = field.validation_alias or name
            if isinstance(wire, str) and wire in properties:
                properties[wire] = _noting(properties[wire], *_notes_of_field(name, field))
        return _noting(published, *_notes_of_model(model))


def _noting(published: JsonSchemaValue, *notes: Noted) -> JsonSchemaValue:
    noted = [{"mark": Noted.word, "name": note.name, "detail": note.detail} for note in notes]
    return {**published, MARKS: [*published.get(MARKS, []), *noted]} if noted else published


def _vocabulary(published: JsonSchemaValue, values: Sequence[object]) -> JsonSchemaValue:
    odd = [value for value in values if not isinstance(value, str | int | float | NoneType | Enum)]
    return _noting(published, Noted("odd_vocabulary", type(odd[0]).__name__)) if odd else published


def _early(published: JsonSchemaValue, function: object) -> JsonSchemaValue:
    ours = isinstance(function, Text) or str(function.__module__).partition(".")[0] == "pydantic"
    return published if ours else _noting(published, Noted("early_validator", getattr(function, "__name__", "")))


def _foreign(published: JsonSchemaValue, kind: type) -> JsonSchemaValue:
    return _noting(published, Noted("foreign_model", kind.__name__))


def _notes_of_model(model: type[BaseModel]) -> Iterator[Noted]:
    yield Noted("docstring", cleandoc(model.__doc__ or ""))
    if not issubclass(model, Input | Form | Output):
        yield Noted("foreign_model", model.__name__)
        return
    config = cast("Mapping[str, object]", model.model_config)
    kept = cast("Mapping[str, object]", Input.model_config)
    changed = [key for key in _SAME if config.get(key) != kept.get(key)] + [key for key in _OFF if config.get(key)]
    if changed:
        yield Noted("loosened_model", f"{model.__name__} sets {', '.join(changed)}")
    for name in model.model_computed_fields:
        yield Noted("unpublished_field", f"{model.__name__}.{name} is computed")
    for name, field in model.model_fields.items():
        if field.exclude:
            yield Noted("unpublished_field", f"{model.__name__}.{name} is excluded")
        if field.validation_alias != field.serialization_alias:
            yield Noted("split_alias", f"{model.__name__}.{name}")


def _notes_of_field(name: str, field: FieldInfo) -> Iterator[Noted]:
    if field.validation_alias is not None:
        yield Noted("alias", name)
    kinds = {type(each).__name__ for each in (*field.metadata, *_metadata_in(field.annotation))}
    if field.json_schema_extra or "WithJsonSchema" in kinds:
        yield Noted("own_schema", name)
    if "SkipValidation" in kinds:
        yield Noted("unchecked_value", name)
    tightest: dict[str, float] = {}
    for bound, value in [*_bounds_in(field.annotation), *_bounds_of(field.metadata)]:
        kept = tightest.setdefault(bound, value)
        if kept != value and _TIGHTER[bound](kept, value) == kept:
            yield Noted("loosened_bound", f"{bound}={kept} and then {bound}={value}")
        tightest[bound] = value


_TIGHTER: dict[str, Callable[[float, float], float]] = {
    "ge": max, "gt": max, "min_length": max, "le": min, "lt": min, "max_length": min,
}  # fmt: skip


def _bounds_in(annotation: object) -> Iterator[Bound]:
    """The bounds inside an annotation, innermost first: those of an alias, or of what is optional."""
    aliased = getattr(annotation, "__value__", None)
    if aliased is not None:  # an alias made by `type`, whose own constraints come first
        yield from _bounds_in(aliased)
    elif get_origin(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        yield from _bounds_in(inner)
        for item in metadata:
            yield from _bounds_of(item.metadata if isinstance(item, FieldInfo) else [item])
    elif len(arms := [arm for arm in get_args(annotation) if arm is not NoneType]) < len(get_args(annotation)):
        yield from (bound for arm in arms for bound in _bounds_in(arm))


def _metadata_in(annotation: object) -> Iterator[object]:
    """Everything that is written into an annotation, at any depth."""
    inner = get_args(annotation)
    if get_origin(annotation) is Annotated:
        for item in inner[1:]:
            yield from item.metadata if isinstance(item, FieldInfo) else [item]
        inner = inner[:1]
    for each in inner:
        yield from _metadata_in(each)


def _bounds_of(metadata: Sequence[object]) -> Iterator[Bound]:
    for constraint in metadata:
        yield from ((bound, value) for bound in _TIGHTER if (value := getattr(constraint, bound, None)) is not None)
