"""Handles of one call: sealed references with a record behind each, in the call's own transaction (requirement B10)."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from fourfold.errors import SealError
from fourfold.model.caller import Caller
from fourfold.model.fault import HandleInvalid
from fourfold.model.handle import Handle
from fourfold.ports.clock import Clock
from fourfold.ports.handles import HandleRecords
from fourfold.ports.sealer import Sealer
from fourfold.ports.units import Unit

__all__ = ["BoundHandles"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundHandles:
    """`Handles` for one caller in one unit. `audience` is the catalog's name: a handle opens nowhere else."""

    unit: Unit
    records: HandleRecords
    sealer: Sealer
    clock: Clock
    audience: str
    caller: Caller

    def issue(self, purpose: str, resource: str, *, version: str = "", lifetime_s: int = 900) -> str:
        """A new handle; `ports.handles.Handles` says more."""
        if not purpose or lifetime_s <= 0:
            raise ValueError("a handle has a purpose, and a lifetime above 0 seconds")
        now = self.clock.now_ms()
        handle = Handle(
            handle_id=f"handle_{secrets.token_hex(16)}",
            tenant=self.caller.tenant,
            principal=self.caller.principal,
            purpose=purpose,
            resource=resource,
            version=version,
            created_ms=now,
            expires_ms=now + lifetime_s * 1000,
        )
        self.records.add(self.unit, handle)
        return self.sealer.seal("handle", handle.handle_id.encode(), bind=self._bind, expires_ms=handle.expires_ms)

    def redeem(self, handle: str, purpose: str, *, version: str | None = None) -> Handle:
        """What it stands for.

        Raises:
            HandleInvalid: whatever is wrong with it.
        """
        found = self._found(handle)
        if found is None or not self._stands(found, purpose):
            raise HandleInvalid
        if version is not None and found.version and not hmac.compare_digest(found.version, version):
            raise HandleInvalid
        return found

    def revoke(self, handle: str) -> None:
        """Make it invalid, if it isn't already."""
        found = self._found(handle)
        if found is not None:
            now = self.clock.now_ms()
            self.records.revoke(self.unit, found.handle_id, tenant=self.caller.tenant, now_ms=now)

    def _found(self, handle: str) -> Handle | None:
        try:
            opened = self.sealer.open("handle", handle, bind=self._bind, now_ms=self.clock.now_ms())
        except SealError:
            return None
        return self.records.find(self.unit, opened.decode(), tenant=self.caller.tenant)

    def _stands(self, found: Handle, purpose: str) -> bool:
        """Whether the record says the same as the seal: a key that leaked makes no handle."""
        ours = found.principal == self.caller.principal and found.purpose == purpose
        return ours and found.revoked_ms is None and self.clock.now_ms() < found.expires_ms

    @property
    def _bind(self) -> tuple[str, ...]:
        # Not the purpose: that stands in the record, so that a handle can be revoked by itself.
        return (self.audience, self.caller.tenant, self.caller.principal)
