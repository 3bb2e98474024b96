"""Whether a made-up value is what it claims to be, as two validators of different make see it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from fourfold.contracts.conform import Misfit, fitting
from fourfold.contracts.nul import nul_problems
from fourfold.contracts.strict_json import Json, StrictJsonError, parse
from fourfold.model.contract import JsonObject
from fourfold.prove.sample import Sample

__all__ = ["Judge", "Pair", "judge_of", "judges", "refused_by_us"]


def judges() -> tuple[str, ...]:
    """The validators that judge: the second one is there with the extra `prove`."""
    return ("jsonschema", "jsonschema-rs") if find_spec("jsonschema_rs") is not None else ("jsonschema",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two validators of one schema.

    Attributes:
        misfits: the first one.
        accepts: the second one; `None` without it, or if it cannot read the schema.
    """

    misfits: Callable[[object], tuple[Misfit, ...]]
    accepts: Callable[[object], bool] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """The validators of one schema.

    A format is asserted by some servers and only describes for others. So a good sample has to have it, and a bad one
    has to be refused without it, unless it is the format that it breaks.
    """

    asserting: Pair
    describing: Pair

    def against(self, sample: Sample) -> str:
        """Why the sample may not be used: `disagreement` of the two, or `not_as_claimed`; empty if it may."""
        pair = self.asserting if sample.valid or sample.kind == "format" else self.describing
        found = pair.misfits(sample.value)
        if pair.accepts is not None and pair.accepts(sample.value) is bool(found):
            return "disagreement"
        if sample.valid:
            return "not_as_claimed" if found else ""
        return "" if found and all(_is_about(each.pointer, sample.pointer) for each in found) else "not_as_claimed"


def judge_of(schema: JsonObject) -> Judge:
    """The judge of one schema. Nothing that it refers to is fetched."""
    return Judge(asserting=_pair(schema, formats=True), describing=_pair(schema, formats=False))


def refused_by_us(value: JsonObject, *, limit: int) -> bool:
    """Whether a catalog of ours refuses arguments whatever their schema says: unsafe JSON, U+0000, too many bytes."""
    raw = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    try:
        parsed = parse(raw)
    except StrictJsonError:
        return True
    return bool(parsed.faults) or len(raw) > limit or bool(nul_problems(parsed.value))


def _pair(schema: JsonObject, *, formats: bool) -> Pair:
    return Pair(misfits=fitting(schema, formats=formats), accepts=_second(schema, formats=formats))


def _second(schema: JsonObject, *, formats: bool) -> Callable[[object], bool] | None:
    if len(judges()) == 1:
        return None
    from jsonschema_rs import ReferencingError, ValidationError, validator_for

    def nowhere(uri: str) -> Json:
        raise ValueError(uri)

    try:
        return validator_for({**schema}, validate_formats=formats, retriever=nowhere).is_valid
    except (ReferencingError, ValidationError, ValueError):
        return None


def _is_about(found: str, claimed: str) -> bool:
    """Whether a misfit at `found` is the one that a sample claims: there, around it, or inside it."""
    return f"{found}/".startswith(f"{claimed}/") or f"{claimed}/".startswith(f"{found}/")
