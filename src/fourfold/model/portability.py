"""Which client can use which tool: the matrix that reports are made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from fourfold.model.contract import JsonObject

__all__ = [
    "BlastRadius",
    "Cell",
    "ClientFacts",
    "FixedSchema",
    "Matrix",
    "MatrixRow",
    "Outcome",
    "SameValues",
    "SchemaChange",
]

Outcome = Literal["accepted", "degraded", "refused"]
"""What a client makes of a tool: takes it as it is, makes less of it, or refuses it."""

BlastRadius = Literal["tool", "server", "request"]
"""What is lost with a tool: itself, every tool of its server, or every request that carries it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientFacts:
    """What a report says about a client. `as_of` is the day on which its sources were last looked at."""

    name: str
    title: str
    as_of: date
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One tool in one client.

    Attributes:
        client: the client's name.
        blast_radius: the most that is lost with the tool; `tool` if it is accepted.
        reasons: the worst first, one of each rule, as `FFnnn pointer: what is wrong`; a few at most.
    """

    client: str
    outcome: Outcome
    blast_radius: BlastRadius = "tool"
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One tool in every client; `tool` is empty for the catalog as a whole."""

    tool: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Every tool in every client. `rows` are in the order of the catalog; `whole` is the catalog as a whole."""

    target: str
    clients: tuple[ClientFacts, ...]
    rows: tuple[MatrixRow, ...]
    whole: MatrixRow

    def lost(self, client: str) -> tuple[str, ...]:
        """The tools whose refusal takes the other tools of the server with it in that client."""
        return tuple(
            row.tool
            for row in self.rows
            for cell in row.cells
            if cell.client == client and cell.outcome == "refused" and cell.blast_radius != "tool"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaChange:
    """Something rewritten, or left, in an input schema; `pointer` points into the tool's definition."""

    pointer: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SameValues:
    """What was tried on a schema and on its rewriting: how many values both accepted, and how many both refused.

    Without any that both accepted, nothing speaks for the rewriting but its rules; `note` then says why.
    """

    accepted: int
    refused: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSchema:
    """A tool's input schema in portable words.

    Attributes:
        tool: the tool's name.
        schema: the new input schema; the old one if nothing could be rewritten, or the proof failed.
        changes: what was rewritten.
        left: what clients still mind, because there is no equal: `FFnnn: what is wrong`.
        proof: what stands behind the sameness; `None` if nothing was rewritten.
        size_before: characters of the old schema as compact JSON; `size_after` of the new one.
    """

    tool: str
    schema: JsonObject
    changes: tuple[SchemaChange, ...]
    left: tuple[SchemaChange, ...]
    proof: SameValues | None
    size_before: int
    size_after: int
