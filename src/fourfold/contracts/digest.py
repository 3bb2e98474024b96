"""Digests of contracts and of calls: SHA-256 over canonical JSON (RFC 8785), each with its own prefix."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import replace
from typing import cast

import rfc8785
from pydantic import BaseModel, SecretStr
from pydantic_core import to_jsonable_python

from fourfold.contracts.breach import types_of
from fourfold.contracts.markers import Secret
from fourfold.contracts.strict_json import Json
from fourfold.contracts.walk import Schema, walk
from fourfold.model.contract import JsonObject, ToolContract
from fourfold.model.fault import FaultSpec
from fourfold.model.outcome import Question
from fourfold.model.plan import PlanTerms
from fourfold.model.sandbox import SandboxTerms
from fourfold.ports.sealer import Sealer

__all__ = [
    "INTENT_BYTES",
    "fingerprint",
    "is_plain",
    "lock_digest",
    "plain_json",
    "question_digest",
    "secret_paths",
    "wire_digest",
    "with_answers",
    "with_digests",
]

INTENT_BYTES = 16
"""The part of a fingerprint that says what is wanted, whatever was answered."""


def with_digests(contract: ToolContract) -> ToolContract:
    """`contract` with its digests."""
    contract = replace(contract, wire_digest=wire_digest(contract))
    return replace(contract, lock_digest=lock_digest(contract))


def wire_digest(contract: ToolContract) -> str:
    """What calls, seals and cursors depend on: schemas, effect, faults. A typo fix leaves it alone. 64 hex digits."""
    return _digest("wire", _wire_facts(contract)).hex()


def lock_digest(contract: ToolContract) -> str:
    """Everything that the lock file holds. 64 hex digits."""
    selection = contract.selection
    facts = {
        **_wire_facts(contract),
        "version": contract.version,
        "title": contract.title,
        "description": contract.description,
        "selection": [selection.does, selection.use_when, selection.not_for, selection.inputs, selection.returns],
        "needs": sorted(contract.needs),
        "step_up": contract.step_up,
        "toolsets": sorted(contract.toolsets),
        "limits": [str(getattr(contract.limits, name)) for name in sorted(contract.limits.__slots__)],
        "waivers": [[waiver.rule, waiver.where, waiver.reason] for waiver in contract.waivers],
        "fault_texts": [[fault.message, fault.next_step] for fault in contract.faults],
        "missing_text": [contract.missing.message, contract.missing.next_step] if contract.missing else None,
        "subject": contract.subject,
        "counted": list(contract.counted),
        **_sandbox_facts(contract.sandbox),
        **({"keep": sorted(contract.keep)} if contract.keep else {}),
    }
    return _digest("lock", facts).hex()


def _wire_facts(contract: ToolContract) -> Schema:
    effect = contract.effect
    settings = {name: getattr(effect, name) for name in sorted(type(effect).__dataclass_fields__) if name != "plan"}
    recovery = {} if contract.recovery == "local" else {"recovery": contract.recovery}
    return {
        "name": contract.name,
        "input": dict(contract.input_schema),
        "output": dict(contract.output_schema),
        "effect": {"kind": effect.name, **settings, **recovery, **_plan_facts(effect.plan)},
        "faults": [_fault_facts(fault) for fault in contract.faults],
        "missing": _fault_facts(contract.missing) if contract.missing else None,
        **({"questions": dict(contract.questions)} if contract.questions else {}),
    }


def _plan_facts(terms: PlanTerms | None) -> Schema:
    """Who has to agree, and how long a plan stands; a function decides for itself, whatever it is called."""
    if terms is None:
        return {}
    approval = "decided per plan" if callable(terms.approval) else terms.approval
    return {"plan": [approval, terms.lifetime_s]}


def _sandbox_facts(terms: SandboxTerms | None) -> Schema:
    """What a query may read and take; where it arrives and how long it is, the schema says."""
    if terms is None:
        return {}
    return {"sandbox": [list(terms.readable), terms.max_rows, terms.max_bytes, str(terms.timeout_s)]}


def _fault_facts(fault: FaultSpec) -> list[str]:
    return [fault.code, fault.retry.value]


def secret_paths(schema: Schema) -> frozenset[tuple[str, ...]]:
    """Where the secrets of an input schema are, as instance steps with `*` for each item."""
    return frozenset(node.steps for node in walk(schema) if node.marks(Secret))


def fingerprint(
    contract: ToolContract,
    request: BaseModel,
    *,
    expected_version: str | None,
    secrets: frozenset[tuple[str, ...]],
    plain: bool,
    sealer: Sealer,
) -> bytes:
    """What makes two calls the same intent: tool, contract major, arguments with defaults, expected version. 32 bytes.

    Secrets enter as keyed digests, so that the fingerprint gives nobody a way to guess them. `plain` is what
    `is_plain` says of the author's input schema.
    """
    facts = {"tool": contract.name, "major": contract.major, "expected_version": expected_version}
    if plain:
        return _hash("call", plain_json({**facts, "arguments": request.model_dump(mode="json", by_alias=True)}))
    return _digest("call", {**facts, "arguments": _facts(request, (), secrets=secrets, sealer=sealer)})


def question_digest(question: Question) -> str:
    """What a person was shown: an answer counts for this question and for no other. 32 hex digits."""
    return _digest("question", {"message": question.message, "form": question.schema, "url": question.url}).hex()[:32]


def with_answers(found: bytes, answers: JsonObject) -> bytes:
    """The fingerprint of a call that a person answered in: the call in its first half, the answers in the second."""
    # They are compared as they came, before they are checked, so this takes whatever a client may send.
    return found[:INTENT_BYTES] + _hash("answers", json.dumps(answers, sort_keys=True).encode())[:INTENT_BYTES]


def is_plain(schema: Schema) -> bool:
    """Whether values of `schema` have one JSON text without further care: no floats, no sets, no secrets."""
    return not any(
        "number" in types_of(node.schema)
        or node.schema.get("uniqueItems")
        or node.schema.get("format") == "password"
        or node.marks(Secret)
        for node in walk(schema)
    )


def plain_json(facts: JsonObject) -> bytes:
    """Canonical JSON (RFC 8785) of facts without floats and with ASCII names, several times as fast."""
    return json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def _facts(value: object, steps: tuple[str, ...], *, secrets: frozenset[tuple[str, ...]], sealer: Sealer) -> Json:
    """`value` as JSON, with secrets replaced by their keyed digest, and a set in one order in every process."""
    if steps in secrets and value is not None:
        plain = value.get_secret_value() if isinstance(value, SecretStr) else to_jsonable_python(value)
        return sealer.tag("fingerprint", rfc8785.dumps(plain)).hex()
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        members = {info.alias or name: getattr(value, name) for name, info in fields.items()}
        return {name: _facts(item, (*steps, name), secrets=secrets, sealer=sealer) for name, item in members.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = cast("Collection[object]", value)
        found = [_facts(item, (*steps, "*"), secrets=secrets, sealer=sealer) for item in items]
        return found if isinstance(value, list | tuple) else sorted(found, key=rfc8785.dumps)
    return to_jsonable_python(value)


def _digest(domain: str, facts: JsonObject) -> bytes:
    return _hash(domain, rfc8785.dumps(dict(facts)))


def _hash(domain: str, canonical: bytes) -> bytes:
    return hashlib.sha256(f"fourfold/{domain}/v1".encode() + b"\0" + canonical).digest()
