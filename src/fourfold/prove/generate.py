"""Arguments made up from a schema: good ones that show its limits, and bad ones that break it in one place."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from fourfold.contracts.conform import is_understood
from fourfold.contracts.strict_json import Json
from fourfold.model.contract import JsonObject
from fourfold.prove.break_one import bad_parts, parts_that_only_we_refuse
from fourfold.prove.judge import Judge, judge_of, refused_by_us
from fourfold.prove.plain import plain
from fourfold.prove.routes import Route, routes
from fourfold.prove.sample import Sample, Unmakeable
from fourfold.prove.texts import LONG
from fourfold.prove.values import Known, Style, Values
from fourfold.prove.vary import good_parts
from fourfold.review.view import ToolView

__all__ = ["Known", "Maker", "maker_for", "negatives", "positives"]

_Part = tuple[str, str, Json]
"""What it shows, the pointer to that from the place, and the part itself."""

_STYLES: tuple[Style, ...] = ("minimal", "typical", "maximal")
_ROLLS = 4
_LARGEST = 65_536
"""Bytes of good arguments. Servers bound what they read, and that they do is no fault."""


def positives(tool: ToolView, *, dice: random.Random, known: Known) -> Iterator[Sample]:
    """Arguments that the tool's input schema takes: the fewest, the usual, all; then each of its limits.

    Raises:
        Unmakeable: there are none to be made.
    """
    return _maker_of(tool, dice, known).positives()


def negatives(tool: ToolView, *, dice: random.Random, known: Known) -> Iterator[Sample]:
    """Arguments that are refused, each broken in one place; of a catalog of ours also those that the schema takes.

    Raises:
        Unmakeable: there are no good ones to break.
    """
    return _maker_of(tool, dice, known).negatives()


def _maker_of(tool: ToolView, dice: random.Random, known: Known) -> Maker:
    contract = tool.tool.contract
    limit = None if contract is None else contract.limits.arguments_bytes
    return maker_for(tool.tool.input_schema, dice=dice, known=known, limit=limit)


def maker_for(schema: JsonObject, *, dice: random.Random, known: Known, limit: int | None = None) -> Maker:
    """A maker of objects that the schema takes or refuses.

    Args:
        schema: of an object.
        dice: decides every choice.
        known: values by the name of the argument.
        limit: bytes that arguments may have, for a catalog of ours; it refuses more than its schema does.
    """
    values = Values(root=schema, dice=dice, known=known)
    return Maker(values=values, judge=judge_of(schema), limit=limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Makes the samples of one schema.

    Attributes:
        dropped: how many were not used, by the judge's reason.
    """

    values: Values
    judge: Judge
    limit: int | None = None
    dropped: Counter[str] = field(default_factory=Counter[str])

    def positives(self) -> Iterator[Sample]:
        """Objects that the schema takes, none twice.

        Raises:
            Unmakeable: there are none to be made.
        """
        found = False
        for sample in _guarded(self._all_good()):
            found = True
            yield sample
        if not found:
            raise self._reason()

    def negatives(self) -> Iterator[Sample]:
        """Objects that are refused, none twice.

        Raises:
            Unmakeable: there are no good ones to break.
        """
        return _guarded(self._all_bad())

    def _all_good(self) -> Iterator[Sample]:
        yield from _new(self._good(_object_schema(self.values.root)))

    def _all_bad(self) -> Iterator[Sample]:
        schema = _object_schema(self.values.root)
        self.values.whole(schema)
        yield from _new(self._bad(schema))

    def _good(self, schema: JsonObject) -> Iterator[Sample]:
        for style in _STYLES:
            yield from self._of_style(schema, style)
        for route, (kind, at, part) in _in_turn(self._parts(schema, good=True)):
            draft = Sample(kind=kind, value={}, pointer=at, valid=True)
            yield from self._judged(schema, route, draft=draft, part=part)

    def _bad(self, schema: JsonObject) -> Iterator[Sample]:
        for route, (kind, at, part) in _in_turn(self._parts(schema, good=False)):
            draft = Sample(kind=kind, value={}, pointer=at, valid=False)
            yield from self._judged(schema, route, draft=draft, part=part)

    def _of_style(self, schema: JsonObject, style: Style) -> Iterator[Sample]:
        """One sample of a style: the first roll of the dice that makes one, each with shorter texts than the last."""
        for roll in range(_ROLLS):
            try:
                value = replace(self.values, style=style, long=LONG >> 2 * roll).whole(schema)
            except Unmakeable:
                continue
            sample = Sample(kind=style, value=value, pointer="", valid=True)
            if self._is_usable(sample):
                yield sample
                return

    def _parts(self, schema: JsonObject, *, good: bool) -> Iterator[tuple[Route, Iterator[_Part]]]:
        for route in routes(schema, self.values):
            yield route, self._good_parts(route) if good else self._bad_parts(route)

    def _good_parts(self, route: Route) -> Iterator[_Part]:
        yield from _until_stopped((kind, "", part) for kind, part in good_parts(route, self.values))

    def _bad_parts(self, route: Route) -> Iterator[_Part]:
        yield from _until_stopped(bad_parts(route, self.values))
        if self.limit is not None:
            yield from parts_that_only_we_refuse(route, limit=self.limit)

    def _judged(self, schema: JsonObject, route: Route, *, draft: Sample, part: Json) -> Iterator[Sample]:
        """The whole sample around a part, if it can be made and is what it claims."""
        try:
            value = self.values.holding(schema, route.steps, part=part)
        except Unmakeable:
            self.dropped["unmakeable"] += 1
            return
        if isinstance(value, Mapping):
            sample = replace(draft, value=value, pointer=route.pointer + draft.pointer)
            if self._is_usable(sample):
                yield sample

    def _is_usable(self, sample: Sample) -> bool:
        if self.limit is not None and refused_by_us(sample.value, limit=self.limit):
            return self._counted("refused_by_us" if sample.valid else "")
        if sample.valid and len(json.dumps(sample.value)) > _LARGEST:
            return self._counted("oversized")
        return self._counted(self.judge.against(sample))

    def _counted(self, reason: str) -> bool:
        if reason:
            self.dropped[reason] += 1
        return not reason

    def _reason(self) -> Unmakeable:
        """What stands in the way of the least value."""
        try:
            value = self.values.whole(_object_schema(self.values.root))
        except Unmakeable as unmakeable:
            return unmakeable
        misfits = self.judge.asserting.misfits(value)
        return Unmakeable(misfits[0].keyword, misfits[0].pointer) if misfits else Unmakeable("schema", "")


def _object_schema(root: JsonObject) -> JsonObject:
    if not is_understood(root):
        raise Unmakeable("schema", "")
    return plain({"allOf": [{"type": "object"}, root]}, root)


def _until_stopped(parts: Iterator[_Part]) -> Iterator[_Part]:
    """The parts up to the first that cannot be made; the rest of that place would need it as well."""
    try:
        yield from parts
    except Unmakeable:
        return


def _in_turn(parts: Iterable[tuple[Route, Iterator[_Part]]]) -> Iterator[tuple[Route, _Part]]:
    """One part of each place, then one more of each; of those that a place has, the kind that came least so far."""
    came: Counter[str] = Counter()
    waiting = [(route, each) for route, each in parts]
    while waiting:
        later: list[tuple[Route, Iterator[_Part]]] = []
        for route, each in waiting:
            left = [*each]
            if left:
                part = left.pop(min(range(len(left)), key=lambda index, left=left: came[left[index][0]]))
                came[part[0]] += 1
                later.append((route, iter(left)))
                yield route, part
        waiting = later


def _guarded(samples: Iterator[Sample]) -> Iterator[Sample]:
    try:
        yield from samples
    except (RecursionError, TypeError, ValueError, KeyError, AttributeError, ArithmeticError) as error:
        # What a reference leads to may be wrong in ways that no check of schemas knows.
        raise Unmakeable("schema", "") from error


def _new(samples: Iterator[Sample]) -> Iterator[Sample]:
    seen: set[str] = set()
    for sample in samples:
        text = json.dumps(sample.value, sort_keys=True)
        if text not in seen:
            seen.add(text)
            yield sample
