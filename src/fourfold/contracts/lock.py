"""Locks a catalog: digests over canonical JSON, and the file `fourfold.lock.json` (docs/schemas/lock.json)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal, cast

import rfc8785
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fourfold.contracts.strict_json import StrictJsonError, parse
from fourfold.errors import ConfigError
from fourfold.model.contract import JsonObject, ToolContract
from fourfold.model.listed import ListedCatalog, ListedTool
from fourfold.model.lock import CatalogLock, LockedTool, LockReview

__all__ = ["definition_digest", "lock_of", "lock_text", "read_lock"]

_SCHEMA = "fourfold/lock/v1"
_DEPTH = 200


def lock_of(catalog: ListedCatalog, *, reviews: tuple[LockReview, ...] = ()) -> CatalogLock:
    """The lock of `catalog` as it is now."""
    tools = tuple(_locked(tool) for tool in catalog.tools)
    return CatalogLock(
        target=catalog.target, digest=_digest(sorted(tool.digest for tool in tools)), tools=tools, reviews=reviews
    )


def definition_digest(definition: JsonObject) -> str:
    """SHA-256 (hex) over what a client sees of a tool, so that two listings can be compared."""
    return _digest(definition)


def lock_text(lock: CatalogLock) -> str:
    """The lock as the file holds it: one field a line, so that a pull request shows what changed."""
    return json.dumps({"schema": _SCHEMA, **asdict(lock)}, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def read_lock(raw: bytes, *, name: str) -> CatalogLock:
    """The lock in a file.

    Raises:
        ConfigError: it is none, or a digest in it is not that of what stands beside it.
    """
    try:
        found = _File.model_validate(parse(raw, depth=_DEPTH).value)
    except (StrictJsonError, ValidationError):
        raise ConfigError(f"{name} is no lock file; write it with fourfold lock TARGET") from None
    lock = CatalogLock(
        target=found.target,
        digest=found.digest,
        tools=tuple(LockedTool(**tool.model_dump()) for tool in found.tools),
        reviews=tuple(LockReview(**review.model_dump()) for review in found.reviews),
    )
    for tool in lock.tools:
        if tool.digest != _tool_digest(tool.definition, tool.contract):
            raise ConfigError(f"{name} was edited by hand: the digest of {tool.name} is not that of its definition")
    if lock.digest != _digest(sorted(tool.digest for tool in lock.tools)):
        raise ConfigError(f"{name} was edited by hand: its digest is not that of its tools")
    return lock


def _locked(tool: ListedTool) -> LockedTool:
    contract = None if tool.contract is None else _contract_facts(tool.contract)
    definition = cast("JsonObject", json.loads(json.dumps(dict(tool.definition))))
    return LockedTool(
        name=tool.name, digest=_tool_digest(definition, contract), definition=definition, contract=contract
    )


def _contract_facts(contract: ToolContract) -> JsonObject:
    """What a client does not see of a contract and yet depends on."""
    return {
        "version": contract.version,
        "effect": contract.effect.name,
        "reach": contract.effect.reach,
        "recovery": contract.recovery,
        "faults": sorted(fault.code for fault in contract.faults),
        "missing": contract.missing.code if contract.missing else None,
        "needs": sorted(contract.needs),
        "wire_digest": contract.wire_digest,
        "lock_digest": contract.lock_digest,
        **({"keep": sorted(contract.keep)} if contract.keep else {}),
    }


def _tool_digest(definition: JsonObject, contract: JsonObject | None) -> str:
    return _digest({"definition": definition, "contract": contract})


def _digest(value: object) -> str:
    return hashlib.sha256(b"fourfold/lock/v1\0" + _canonical(value)).hexdigest()


def _canonical(value: object) -> bytes:
    """Canonical JSON (RFC 8785); where that has no form for a number, sorted JSON."""
    try:
        return rfc8785.dumps(cast("Mapping[str, Any]", value))
    except rfc8785.CanonicalizationError:
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")


_Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Tool(_Part):
    name: str
    digest: _Hex
    definition: dict[str, Any]
    contract: dict[str, Any] | None


class _Review(_Part):
    digest: _Hex
    by: str
    at: str


class _File(_Part):
    schema_: Annotated[Literal["fourfold/lock/v1"], Field(alias="schema")]
    target: str
    digest: _Hex
    tools: list[_Tool]
    reviews: list[_Review]
