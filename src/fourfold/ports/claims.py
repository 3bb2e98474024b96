"""The claim store: functions over a `Unit`, so that a claim commits with its effect. Owns no connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fourfold.model.claim import Claim, ClaimScope, ClaimState
from fourfold.ports.units import Unit

__all__ = ["Claims"]


class Claims(Protocol):
    """Idempotency records. The unique key arbitrates between two takers, the fence between two owners."""

    def find(self, unit: Unit, scope: ClaimScope) -> Claim | None:
        """The claim of that key, settled or not."""
        ...

    def twin(self, unit: Unit, scope: ClaimScope, *, fingerprint: bytes, since_ms: int) -> Claim | None:
        """The newest claim of the same caller and tool with that fingerprint under another key, since then.

        One that settled as `failed` does not count: nothing happened that a second call could repeat. Others that
        look for the same are kept out until the transaction ends, so that two cannot both find none.
        """
        ...

    def take(self, unit: Unit, claim: Claim) -> Claim | None:
        """Insert `claim` as running; `None` if it was taken, else the claim that already has the key."""
        ...

    def settle(
        self, unit: Unit, operation_id: str, *, fence: int, state: ClaimState, outcome: str | None, settled_ms: int
    ) -> None:
        """Settle a running claim with its sealed outcome; `unknown` has none.

        Raises:
            ClaimLost: the claim is not running under this fence any more, so what was done must be undone.
        """
        ...

    def operation(self, unit: Unit, operation_id: str) -> Claim | None:
        """The claim of an operation. The caller of this compares tenant and principal, or asks as an operator."""
        ...

    def reach(self, unit: Unit, operation_id: str, *, fence: int, point: str) -> None:
        """Note how far a running claim has come, before going on.

        Raises:
            ClaimLost: another owner has taken it over.
        """
        ...

    def renew(self, unit: Unit, operation_id: str, *, fence: int, until_ms: int) -> bool:
        """Prolong the lease of a running claim; `False` if another owner has it."""
        ...

    def take_over(
        self, unit: Unit, operation_id: str, *, fence: int, owner: str, now_ms: int, until_ms: int
    ) -> Claim | None:
        """Become the owner of a running claim whose lease ended; `None` if it is not there to be had.

        `fence` is the one that was read. The claim comes back with the next one, and one attempt more.
        """
        ...

    def release(self, unit: Unit, operation_id: str, *, fence: int, now_ms: int) -> None:
        """End the lease of a claim that may be tried again; its row stays, so that its arguments stay with its key.

        Raises:
            ClaimLost: another owner has taken it over.
        """
        ...

    def resolve(
        self,
        unit: Unit,
        operation_id: str,
        *,
        state: ClaimState,
        outcome: str | None,
        settled_ms: int,
        keep_until_ms: int,
    ) -> bool:
        """Decide an `unknown` claim: `done` or `failed` with its outcome, or `running` again; `False` if it isn't.

        It may have been unknown for longer than outcomes are kept, so it is kept at least until `keep_until_ms`.
        It gets the next fence: no owner of before may settle it now.
        """
        ...

    def list(self, unit: Unit, *, state: ClaimState | None, tenant: str | None, limit: int) -> Sequence[Claim]:
        """Claims, newest first, for operators."""
        ...

    def count_unknown(self, unit: Unit) -> int:
        """How many operations are unknown, of all tenants."""
        ...

    def purge(self, unit: Unit, *, now_ms: int, tombstone_until_ms: int, limit: int) -> int:
        """Turn settled claims past their time into tombstones, and drop tombstones past theirs; how many.

        `running` and `unknown` claims are never purged.
        """
        ...

    def give_up(self, unit: Unit, *, now_ms: int, limit: int) -> int:
        """Make running claims past their time unknown whose lease is over, and that no call came back for; how many.

        They wait for a person: by now the other system may have forgotten the key that they were sent with, and
        something may be set aside for them. No owner of before settles them.
        """
        ...
