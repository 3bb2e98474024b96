"""Evidence files: what each command has proved, in `.fourfold/evidence` of the current folder."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from fourfold.bootstrap.files import timestamp, write_whole
from fourfold.model.contract import JsonObject
from fourfold.model.evidence import EvidenceRecord

__all__ = ["FOLDER", "leave_evidence", "read_evidence"]

FOLDER = Path(".fourfold/evidence")
"""Where evidence stands. It may be committed: it holds no secret, and a stale digest makes it worthless."""


def leave_evidence(kind: str, *, digest: str, results: JsonObject) -> None:
    """Write down what a command has proved about the catalog with that digest.

    Raises:
        ConfigError: the folder cannot be written to.
    """
    facts = {
        "schema": "fourfold/evidence/v1",
        "tool_version": metadata.version("fourfold"),
        "catalog_digest": digest,
        "at": timestamp(),
        "results": dict(results),
    }
    write_whole(FOLDER / f"{kind}.json", json.dumps(facts, indent=2, ensure_ascii=False) + "\n")


def read_evidence(kind: str) -> EvidenceRecord | None:
    """What the command has left; `None` if it has left nothing that can be read."""
    try:
        found = _File.model_validate_json((FOLDER / f"{kind}.json").read_bytes())
    except (OSError, ValidationError):
        return None
    return EvidenceRecord(
        kind=kind,
        tool_version=found.tool_version,
        catalog_digest=found.catalog_digest,
        at=found.at,
        results=found.results,
    )


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    tool_version: str
    catalog_digest: str
    at: str
    results: dict[str, Any]
