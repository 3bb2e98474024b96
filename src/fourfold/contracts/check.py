"""`InputCheck` and `OutputCheck`: the compiled checks of one tool, made once when the catalog is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, to_json

from fourfold.contracts.nul import may_hold_nul, nul_problems
from fourfold.contracts.problems import MAX_PROBLEMS, problems_of
from fourfold.contracts.repair import repair
from fourfold.contracts.strict_json import Json, well_formed
from fourfold.contracts.walk import Schema
from fourfold.model.contract import JsonObject
from fourfold.model.fault import Problem

__all__ = ["CheckedInput", "InputCheck", "OutputCheck", "OutputViolation"]

ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedInput(Generic[ModelT]):
    """Arguments that passed.

    Attributes:
        request: the author's input model.
        framework: the framework arguments by name, as sent or by default; absent ones are not in it.
        repairs: what was put right on the way, for the run.
    """

    request: ModelT
    framework: JsonObject
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InputCheck(Generic[ModelT]):
    """Checks arguments against the input contract, strictly, and says exactly what is wrong.

    `schema` is the published schema: the author's properties and the framework's.
    """

    model: type[ModelT]
    framework: type[BaseModel] | None
    schema: Schema

    def check(self, arguments: JsonObject) -> CheckedInput[ModelT] | tuple[Problem, ...]:
        """The checked input, or every problem. `arguments` is not changed and not kept."""
        own, framework = self._split(arguments)
        raw = to_json(own)
        odd = may_hold_nul(raw) or (bool(framework) and may_hold_nul(to_json(framework)))
        if b"null" not in raw and None not in framework.values() and not odd:
            try:
                return self._validated(raw, framework)
            except ValidationError:
                pass  # a repair may help; if none does, the second attempt reports
        repaired = repair(arguments, self.schema)
        own, framework = self._split(repaired.arguments)
        nul = nul_problems(repaired.arguments) if odd else ()
        try:
            checked = self._validated(to_json(own), framework, repairs=repaired.notes)
        except ValidationError:
            places = {problem.pointer for problem in nul}
            others = (problem for problem in self._problems(own, framework) if problem.pointer not in places)
            return (*nul, *others)[:MAX_PROBLEMS]
        return nul[:MAX_PROBLEMS] or checked

    def _validated(self, own: bytes, framework: JsonObject, *, repairs: tuple[str, ...] = ()) -> CheckedInput[ModelT]:
        request = self.model.model_validate_json(own, strict=True)
        extra = self.framework.model_validate_json(to_json(framework), strict=True) if self.framework else None
        values = extra.model_dump(exclude_none=True) if extra is not None else {}
        return CheckedInput(request=request, framework=values, repairs=repairs)

    def _split(self, arguments: JsonObject) -> tuple[JsonObject, JsonObject]:
        """The author's arguments and the framework's."""
        if self.framework is None:
            return arguments, {}
        taken = self.framework.model_fields
        own = {name: value for name, value in arguments.items() if name not in taken}
        return own, {name: value for name, value in arguments.items() if name in taken}

    def _problems(self, own: JsonObject, framework: JsonObject) -> tuple[Problem, ...]:
        """The problems of both halves together, in one list."""
        halves: list[tuple[type[BaseModel] | None, JsonObject]] = [(self.model, own), (self.framework, framework)]
        found: list[Problem] = []
        for model, half in halves:
            if model is None:
                continue
            try:
                model.model_validate_json(to_json(half), strict=True)
            except ValidationError as error:
                found.extend(problems_of(error, half, schema=self.schema))
        return tuple(found[:MAX_PROBLEMS])


class OutputViolation(Exception):
    """The handler's result breaks the output contract; the text is for the run, never for the wire."""


@dataclass(frozen=True, slots=True)
class OutputCheck(Generic[ModelT]):
    """Checks and serializes results against the output contract. `schema` still has its markers.

    `adapter` reads back what was serialized, so that a result built around validation is caught too; `published` are
    the names of the fields as callers see them.
    """

    model: type[ModelT]
    schema: Schema
    adapter: TypeAdapter[ModelT] = field(init=False, repr=False)
    published: Mapping[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        names = {name: found.serialization_alias or name for name, found in self.model.model_fields.items()}
        object.__setattr__(self, "adapter", TypeAdapter(self.model))
        object.__setattr__(self, "published", names)

    def serialize(self, result: object) -> bytes:
        """The result as compact UTF-8 JSON that conforms to the published output schema.

        Raises:
            OutputViolation: it has another type, or does not conform.
        """
        if not isinstance(result, self.model):
            raise OutputViolation(f"the handler returned {type(result).__name__}, not {self.model.__name__}")
        raw = self._json(result, exclude_none=False)
        self.read(raw)
        return self._json(result, exclude_none=True) if b"null" in raw else raw

    def read(self, raw: bytes) -> ModelT:
        """The result that `raw` is the JSON of.

        Raises:
            OutputViolation: it does not conform; the text names the places and repeats no value.
        """
        try:
            return self.adapter.validate_json(raw, strict=True)
        except ValidationError as error:
            places = sorted({".".join(map(str, item["loc"])) + f" ({item['type']})" for item in _errors(error)})
            raise OutputViolation(f"the result breaks the output contract at {', '.join(places)}") from None

    def filled(self, result: object) -> dict[str, bool]:
        """Whether each field of a result that conforms holds anything, by its published name; zero and false do."""
        return {shown: getattr(result, name, None) not in _NOTHING for name, shown in self.published.items()}

    def _json(self, result: ModelT, *, exclude_none: bool) -> bytes:
        """`result` serialized. What the serializer would warn of is found, and named, when it is read back.

        It is read back with its nulls: a `None` where none belongs would vanish with those that are left out.
        """
        serializer = self.model.__pydantic_serializer__
        try:
            return serializer.to_json(result, by_alias=True, exclude_none=exclude_none, warnings=False)
        except ValueError:
            pass  # a lone surrogate may be the reason; if it isn't, the second attempt reports
        try:
            members = serializer.to_python(result, by_alias=True, exclude_none=exclude_none, warnings=False)
            return to_json(_cleaned(members), inf_nan_mode="constants")
        except ValueError as error:
            raise OutputViolation(f"the result cannot be serialized: {type(error).__name__}") from None


_NOTHING: tuple[object, ...] = (None, "", [], (), {})
"""What a field holds that holds nothing."""


def _errors(error: ValidationError) -> list[ErrorDetails]:
    return error.errors(include_url=False, include_context=False, include_input=False)[:10]


def _cleaned(value: Json) -> Json:
    """`value` with lone surrogates replaced by U+FFFD, the one thing that JSON text cannot carry."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(item) for key, item in cast("dict[str, Json]", value).items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in cast("list[Json]", value)]
    return value
