"""Evidence files: what each command has proved, in `.fourfold/evidence` of the current folder."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from fourfold.errors import ConfigError
from fourfold.model.contract import JsonObject
from fourfold.model.evidence import EvidenceRecord

__all__ = ["FOLDER", "leave_evidence", "read_evidence"]

FOLDER = Path(".fourfold/evidence")
"""Where evidence stands. It may be committed: it holds no secret, and a stale digest makes it worthless."""


def leave_evidence(kind: str, *, digest: str, results: JsonObject) -> Path:
    """Write down what a command has proved about the catalog with that digest; the file.

    Raises:
        ConfigError: the folder cannot be written to.
    """
    path = FOLDER / f"{kind}.json"
    facts = {
        "schema": "fourfold/evidence/v1",
        "tool_version": metadata.version("fourfold"),
        "catalog_digest": digest,
        "at": datetime.fromtimestamp(int(time.time()), UTC).isoformat().replace("+00:00", "Z"),
        "results": dict(results),
    }
    beside = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", "utf-8")
        beside.replace(path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None
    return path


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
