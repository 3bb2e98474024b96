"""`Sample`: arguments that were made up from a schema, and what they are meant to show."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject

__all__ = ["Sample", "Unmakeable"]


class Unmakeable(Exception):
    """No value can be made for a schema; `keyword` is what stopped it."""

    def __init__(self, keyword: str, at: str) -> None:
        self.keyword = keyword
        self.pointer = at
        super().__init__(f"{keyword} at {at or 'the root'}")

    def within(self, step: str | int) -> Unmakeable:
        """The same, seen from the value around it."""
        return Unmakeable(self.keyword, pointer(step) + self.pointer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Arguments for one call.

    Attributes:
        kind: what they show: of good ones `minimal`, `typical`, `maximal`, `boundary`, `enum`, `arm`, `unicode`; of bad
            ones `unknown_member`, `wrong_type`, `missing`, `null`, `too_long`, `too_short`, `too_large`, `too_small`,
            `not_multiple`, `too_many`, `too_few`, `not_unique`, `not_listed`, `pattern`, `format`. What the schema
            takes and a catalog of ours refuses is `nul_character`, `unsafe_integer`, `too_deep` or `oversized`.
        pointer: the place that it is about, into the arguments.
        valid: whether the schema takes them.
    """

    kind: str
    value: JsonObject
    pointer: str
    valid: bool
