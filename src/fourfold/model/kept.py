"""What is kept of a call beside its run, where its contract says so (`ToolContract.keep`): as stored, and opened."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.model.contract import JsonObject

__all__ = ["Kept", "KeptCall", "KeptPart"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is stored: sealed for this run and tenant, until `purge_after_ms` (epoch)."""

    run_id: str
    tenant: str
    purge_after_ms: int
    sealed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPart:
    """Arguments or a result, without what is never kept. Each list has JSON Pointers into `value`.

    Attributes:
        redacted: secrets, personal data, and texts that looked to hold a credential or an address.
        left_out: values that no contract declares, or of another type; something of their own type stands there.
        cut: texts, lists and objects of which only the beginning is kept, since all of it would be too large.
    """

    value: JsonObject
    redacted: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCall:
    """A kept call, opened. A part is `None` where the contract does not keep it, or where there was none.

    Attributes:
        scopes: what the caller held.
        has_meta_key: whether an idempotency key came in `_meta`; the key itself is not kept.
    """

    arguments: KeptPart | None
    result: KeptPart | None
    scopes: tuple[str, ...]
    has_meta_key: bool
