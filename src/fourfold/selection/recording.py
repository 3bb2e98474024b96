"""Cases out of live traffic: each decision as it is heard, made a case as an imported one is, and written at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TextIO

from fourfold.contracts.case_file import case_line
from fourfold.model.case import Case
from fourfold.model.contract import JsonObject
from fourfold.selection.importing.chat import decided
from fourfold.selection.importing.decision import Hindrance
from fourfold.selection.importing.to_case import CaseMaker
from fourfold.selection.wire.format import WireFormat

__all__ = ["CaseWriter"]


@dataclass(slots=True, kw_only=True)
class CaseWriter:
    """Adds a line for each new decision.

    Attributes:
        out: the suite, at its end.
        seen: the ids that it has.
        written: new cases.
        again: decisions that were known already.
        hindered: answers that gave no case, by reason.
    """

    out: TextIO
    seen: set[str] = field(default_factory=set[str])
    maker: CaseMaker = field(default_factory=CaseMaker)
    written: int = 0
    again: int = 0
    hindered: Counter[Hindrance] = field(default_factory=Counter["Hindrance"])

    def keep(self, wire: WireFormat, request: JsonObject, answer: JsonObject) -> None:
        """Write the decision down, unless it makes no case or is known."""
        case = self._case(wire, request, answer)
        if isinstance(case, str):
            self.hindered[case] += 1
        elif case.id in self.seen:
            self.again += 1
        else:
            self.seen.add(case.id)
            self.out.write(case_line(case) + "\n")
            self.out.flush()
            self.written += 1

    def _case(self, wire: WireFormat, request: JsonObject, answer: JsonObject) -> Case | Hindrance:
        asked, choice = wire.asked(request), wire.read(answer)
        ids = {"recorded": "live", "model": choice.model or asked.model}
        found = decided(choice, asked.messages, tools=asked.tools, ids=ids)
        return found if isinstance(found, str) else self.maker.case_of(found, form=wire.name)
