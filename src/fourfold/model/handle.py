"""`Handle`: the record behind a sealed reference to one object, so that it can be revoked (requirement B10)."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Handle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """What a handle stands for, and for whom.

    Attributes:
        purpose: what it may be used for, `refund_receipt` say; one that is used for anything else is invalid.
        resource: the object, in the catalog's own words.
        version: the resource version that it is good for; "" for any.
    """

    handle_id: str
    tenant: str
    principal: str
    purpose: str
    resource: str
    version: str
    created_ms: int
    expires_ms: int
    revoked_ms: int | None = None
