"""Runs and closings as rows, there and back. Owns their SQL; who stores them when is decided elsewhere."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from fourfold.model.cost import Charge
from fourfold.model.kept import Kept
from fourfold.model.run import Closing, Run
from fourfold.ports.runs import RunRecord
from fourfold.ports.units import Row, Unit

__all__ = ["Record", "insert", "record_of", "row_of", "run_in"]

Record = Run | Closing | Kept
"""What is queued and stored."""

_FIELDS = tuple(field.name for field in fields(Run))

_INSERT_RUN = """
INSERT INTO fourfold_run (
    run_id, at_ms, tenant, principal, caller, tool, contract_version, wire_digest, lock_digest, subject, outcome, code,
    operation_id, replayed, transport, revision, client, trace_id, span_id, stage_us, bytes_in, bytes_out, tokens_in,
    tokens_out, arguments_digest, counted, reference, note, retry, tokens_definition, charges, filled
) VALUES (
    :run_id, :at_ms, :tenant, :principal, :caller, :tool, :contract_version, :wire_digest, :lock_digest, :subject,
    :outcome, :code, :operation_id, :replayed, :transport, :revision, :client, :trace_id, :span_id, :stage_us,
    :bytes_in, :bytes_out, :tokens_in, :tokens_out, :arguments_digest, :counted, :reference, :note, :retry,
    :tokens_definition, :charges, :filled
)
"""

_INSERT_CLOSING = "INSERT INTO fourfold_run_closing (run_id, total_us, delivered) VALUES (?, ?, ?)"

_INSERT_KEPT = "INSERT INTO fourfold_run_kept (run_id, tenant, purge_after_ms, sealed) VALUES (?, ?, ?, ?)"


def insert(unit: Unit, record: Record) -> None:
    """Insert a run, a closing, or what is kept of a call.

    Raises:
        StoreError: the id is there already, or a value cannot be stored.
    """
    if isinstance(record, Closing):
        unit.execute(_INSERT_CLOSING, (record.run_id, record.total_us, int(record.delivered)))
        return
    if isinstance(record, Kept):
        unit.execute(_INSERT_KEPT, (record.run_id, record.tenant, record.purge_after_ms, record.sealed))
        return
    unit.execute(_INSERT_RUN, row_of(record))


def record_of(row: Row) -> RunRecord:
    """The run of a row that holds all columns of `fourfold_run` and, joined, `total_us` and `delivered`."""
    return RunRecord(run=run_in(row), closing=_closing_of(row))


def run_in(row: Row) -> Run:
    """The run of a row that holds all columns of `fourfold_run`."""
    values = {name: row[name] for name in _FIELDS}
    values["replayed"] = bool(row["replayed"])
    values["stage_us"] = json.loads(row["stage_us"])
    values["counted"] = tuple((field, value) for field, value in json.loads(row["counted"]))
    values["charges"] = tuple(
        Charge(what=what, amount_minor=amount, currency=currency)
        for what, amount, currency in json.loads(row["charges"])
    )
    values["filled"] = {field: bool(held) for field, held in json.loads(row["filled"]).items()}
    return Run(**values)


def row_of(run: Run) -> dict[str, Any]:
    """The columns of `fourfold_run` by name."""
    values = {name: getattr(run, name) for name in _FIELDS}
    values["replayed"] = int(run.replayed)
    values["stage_us"] = json.dumps(dict(run.stage_us), separators=(",", ":"))
    values["counted"] = json.dumps(run.counted, separators=(",", ":"))
    charges = [(charge.what, charge.amount_minor, charge.currency) for charge in run.charges]
    values["charges"] = json.dumps(charges, separators=(",", ":"))
    values["filled"] = json.dumps({field: int(held) for field, held in run.filled.items()}, separators=(",", ":"))
    return values


def _closing_of(row: Row) -> Closing | None:
    if row["total_us"] is None:
        return None
    return Closing(run_id=row["run_id"], total_us=row["total_us"], delivered=bool(row["delivered"]))
