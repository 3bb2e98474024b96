"""Imports a file: its records in their order, each decision as a case, and a count of what makes none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fourfold.model.case import Case
from fourfold.selection.importing.decision import Format, Found, Hindrance, Place, Reader
from fourfold.selection.importing.detect import format_of, reader_of
from fourfold.selection.importing.records import BadRecord, Record, records_in
from fourfold.selection.importing.to_case import CaseMaker, is_taken

__all__ = ["Hindrances", "Import"]

_MOST_BAD = 20
"""Bad records that are named; all are counted."""


@dataclass(slots=True, kw_only=True)
class Hindrances:
    """How many decisions were hindered in one way, and where the first of them stands."""

    first: Place
    count: int = 0


@dataclass(slots=True, kw_only=True)
class Import:
    """One import. What it holds grows by a number for each case, and not with what the file says.

    Attributes:
        maker: makes the cases.
        form: the format of every record; `None` asks each record.
        known: the ids that are there already.
        records: how many there were, without the bad ones, by format.
        decisions: how many were found.
        cases: how many are new.
        duplicates: how many say what another one in the file says.
        already: how many are in `known`.
        hindered: those that make no case, by reason.
        bad: the first bad records; `bad_count` counts all.
    """

    maker: CaseMaker
    form: Format | None = None
    known: frozenset[str] = frozenset()
    records: Counter[Format] = field(default_factory=Counter["Format"])
    decisions: int = 0
    cases: int = 0
    duplicates: int = 0
    already: int = 0
    hindered: dict[Hindrance, Hindrances] = field(default_factory=dict["Hindrance", "Hindrances"])
    bad: list[BadRecord] = field(default_factory=list[BadRecord])
    bad_count: int = 0
    seen: set[int] = field(default_factory=set[int])
    readers: dict[Format, Reader] = field(default_factory=dict["Format", Reader])

    def cases_in(self, lines: Iterable[bytes]) -> Iterator[Case]:
        """The new cases of a file, in its order; no two have one id."""
        for record in records_in(lines):
            if isinstance(record, BadRecord):
                self._count_bad(record)
            else:
                yield from self._cases_of(record)
        for form, reader in self.readers.items():
            yield from self._cases(reader.end(), form)

    @property
    def read_nothing(self) -> bool:
        """Whether the file holds not one record of a known format."""
        return not self.records

    def _cases_of(self, record: Record) -> Iterator[Case]:
        form = self.form or format_of(record.value)
        if form is None:
            self._count("unknown_format", record.place)
            return
        self.records[form] += 1
        reader = self.readers.setdefault(form, reader_of(form))
        yield from self._cases(reader.read(record.value, record.place), form)

    def _cases(self, found: Iterable[tuple[Place, Found]], form: Format) -> Iterator[Case]:
        for place, each in found:
            self.decisions += not isinstance(each, str)
            case = each if isinstance(each, str) else self.maker.case_of(each, form=form)
            if isinstance(case, str):
                self._count(case, place)
            elif not self._is_known(case):
                yield from self._taken(case, place)

    def _is_known(self, case: Case) -> bool:
        # A number takes half of the room that the id as text would take.
        key = int(case.id.removeprefix("imported-"), 16)
        if case.id in self.known or key in self.seen:
            self.duplicates += key in self.seen
            self.already += key not in self.seen
            return True
        self.seen.add(key)
        return False

    def _taken(self, case: Case, place: Place) -> Iterator[Case]:
        if is_taken(case):
            self.cases += 1
            yield case
        else:
            self._count("invalid", place)

    def _count(self, reason: Hindrance, place: Place) -> None:
        self.hindered.setdefault(reason, Hindrances(first=place)).count += 1

    def _count_bad(self, record: BadRecord) -> None:
        self.bad_count += 1
        if len(self.bad) < _MOST_BAD:
            self.bad.append(record)
