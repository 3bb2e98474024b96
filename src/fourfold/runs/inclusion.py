"""The proof that one run is among those that were sealed: made from the store, checked without it (requirement D6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, cast

from fourfold.errors import ConfigError
from fourfold.model.seal import Head, Seal, SignedSeal
from fourfold.ports.seals import Seals
from fourfold.ports.signer import Verifier
from fourfold.ports.units import Row, Unit
from fourfold.runs.merkle import inclusion_path, leaf_hash, root_from_path
from fourfold.runs.sealed import FORM, FORMS, digest_of, row_bytes, signature_holds
from fourfold.runs.tampering import kept_leaves

__all__ = ["Proof", "SealState", "SealedRun", "facts_of_proof", "proof_in", "seal_of", "why_not"]

SealState = Literal["absent", "changed", "key", "sealed", "waiting"]
"""How a run stands to its seal.

`absent`: there is no such run. `changed`: it is not as it was sealed, or its entry is not as it was signed. `key`: it
is as it was sealed, but the key is not known here. `sealed`: and the signature holds. `waiting`: it is not sealed yet.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A run with the entry of its range, and the way from its hash to the root there; `path` is hex."""

    row: Mapping[str, Any]
    entry: SignedSeal
    index: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRun:
    """How a run stands to its seal, with the entry of its range, and the proof when it is in it."""

    state: SealState
    seal: Seal | None = None
    proof: Proof | None = None


def seal_of(unit: Unit, seals: Seals, *, run_id: str, verifier: Verifier) -> SealedRun:
    """How the run `run_id` stands to its seal. The rest of the chain is not looked at: that is what `verify` does."""
    found = seals.row(unit, ("seq",), run_id=run_id)
    if found is None:
        return SealedRun(state="absent")
    entry = seals.covering(unit, found["seq"])
    if entry is None:
        head = seals.newest(unit)
        return SealedRun(state="waiting" if head is None or found["seq"] > head.seal.to_seq else "changed")
    row = seals.row(unit, FORMS.get(entry.seal.form, FORMS[FORM]), run_id=run_id)
    proof = None if row is None else _proof(unit, seals, entry=entry, row=row)
    holds = signature_holds(entry, verifier)
    if proof is None or holds is False:
        return SealedRun(state="changed", seal=entry.seal)
    return SealedRun(state="sealed" if holds else "key", seal=entry.seal, proof=proof)


def why_not(proof: Proof, *, verifier: Verifier, noted: Sequence[Head] = ()) -> str:
    """Why `proof` does not hold; "" when it does."""
    seal = proof.entry.seal
    leaf = leaf_hash(row_bytes(proof.row, seal.form))
    path = [bytes.fromhex(step) for step in proof.path]
    root = root_from_path(leaf, proof.index, size=seal.rows, path=path)
    if root is None or root.hex() != seal.root:
        return "the run is not among those of its entry: it, or the path, was changed"
    if not seal.after_seq < proof.row["seq"] <= seal.to_seq:
        return "the number of the run is outside the range of its entry"
    if any(head.no == seal.no and head.digest != digest_of(seal) for head in noted):
        return f"entry {seal.no} was noted elsewhere, and it was another one"
    holds = signature_holds(proof.entry, verifier)
    if holds is None:
        return f"key {seal.kid} is not known here: give --head with a head that was noted under it"
    return "" if holds else f"the signature is not that of key {seal.kid}"


def facts_of_proof(proof: Proof) -> dict[str, object]:
    """A proof as JSON has it (docs/schemas/runs-proof.json)."""
    entry = {**asdict(proof.entry.seal), "signature": proof.entry.signature}
    return {"run": dict(proof.row), "entry": entry, "index": proof.index, "path": [*proof.path]}


def proof_in(value: object) -> Proof:
    """The proof that `facts_of_proof` wrote.

    Raises:
        ConfigError: it is none.
    """
    try:
        return _read_proof(value)
    except (KeyError, TypeError, ValueError):
        raise ConfigError("this is no proof of a run; `fourfold runs proof RUN --json` writes one") from None


def _proof(unit: Unit, seals: Seals, *, entry: SignedSeal, row: Row) -> Proof | None:
    """The proof for `row`; `None` when it is not among the runs of `entry`."""
    if entry.seal.form not in FORMS:
        return None
    leaves = kept_leaves(unit, seals, seal=entry.seal)
    leaf = leaf_hash(row_bytes(row, entry.seal.form))
    if leaf not in leaves:
        return None
    index = leaves.index(leaf)
    path = tuple(step.hex() for step in inclusion_path(leaves, index))
    return Proof(row=row, entry=entry, index=index, path=path)


def _read_proof(value: object) -> Proof:
    """A proof, every part of it of the right type; what it says is not looked at.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    facts = cast("dict[str, Any]", value)
    said = cast("dict[str, Any]", facts["entry"])
    seal = Seal(**{each.name: _of_type(said[each.name], like=str(each.type)) for each in fields(Seal)})
    row = cast("dict[str, Any]", facts["run"])
    if {*row} != {*FORMS[seal.form]} or not all(type(each) in (int, str) for each in row.values()):
        raise ValueError("the run has other fields than its form")
    path = tuple(bytes.fromhex(step).hex() for step in facts["path"])
    signed = SignedSeal(seal=seal, signature=_of_type(said["signature"], like="str"))
    return Proof(row=row, entry=signed, index=_of_type(facts["index"], like="int"), path=path)


def _of_type(value: Any, *, like: str) -> Any:
    if type(value) is not (int if like == "int" else str):
        raise TypeError("a number stands where a text should, or the other way round")
    return value
