"""`SqlMessages`: the outbox as functions over a unit (ports.Messages). Owns its SQL and no connection."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.adapters.sql.unit import own
from fourfold.model.message import Message, MessageState
from fourfold.ports.units import Unit

__all__ = ["SqlMessages"]

_ADD = """
INSERT INTO fourfold_message (
    message_id, tenant, operation_id, topic, dedupe_key, payload, created_ms, next_ms, state
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting')
ON CONFLICT (tenant, dedupe_key) DO NOTHING
"""

_DUE = """
SELECT * FROM fourfold_message WHERE state = 'waiting' AND next_ms <= ? ORDER BY next_ms, message_id LIMIT ?
"""

# Two relays may read the same row; the one whose update still finds it due has it.
_KEEP = """
UPDATE fourfold_message SET next_ms = ?, attempts = attempts + 1
WHERE message_id = ? AND state = 'waiting' AND next_ms = ?
"""

_SENT = """
UPDATE fourfold_message SET state = 'sent', sent_ms = ?, error = '' WHERE message_id = ? AND state = 'waiting'
"""

_FAILED = "UPDATE fourfold_message SET state = ?, next_ms = ?, error = ? WHERE message_id = ? AND state = 'waiting'"

_RETRY = (
    "UPDATE fourfold_message SET state = 'waiting', next_ms = ?, attempts = 0 WHERE message_id = ? AND state = 'dead'"
)

_LIST = """
SELECT * FROM fourfold_message WHERE (? = '' OR state = ?) AND (? = '' OR tenant = ?)
ORDER BY created_ms DESC, message_id DESC LIMIT ?
"""

_PURGE = """
DELETE FROM fourfold_message WHERE message_id IN (
    SELECT message_id FROM fourfold_message WHERE state = 'sent' AND sent_ms < ? ORDER BY sent_ms LIMIT ?
)
"""


class SqlMessages:
    """Messages in the table `fourfold_message`."""

    def add(self, unit: Unit, message: Message) -> bool:
        """Store `message`; `False` if its tenant already has one with that dedupe key."""
        who = (message.message_id, message.tenant, message.operation_id, message.topic, message.dedupe_key)
        return own(unit).execute(_ADD, (*who, message.payload, message.created_ms, message.next_ms)) > 0

    def find(self, unit: Unit, message_id: str) -> Message | None:
        """The message. The caller of this compares the tenant, or asks as an operator."""
        row = own(unit).row("SELECT * FROM fourfold_message WHERE message_id = ?", (message_id,))
        return None if row is None else Message(**row)

    def due(self, unit: Unit, *, now_ms: int, until_ms: int, limit: int) -> Sequence[Message]:
        """Take messages that are due, oldest first, and keep them from other relays until `until_ms`."""
        view = own(unit)
        found = [Message(**row) for row in view.rows(_DUE, (now_ms, limit))]
        return [each for each in found if view.execute(_KEEP, (until_ms, each.message_id, each.next_ms))]

    def sent(self, unit: Unit, message_id: str, *, sent_ms: int) -> None:
        """Note that the receiver took it."""
        own(unit).execute(_SENT, (sent_ms, message_id))

    def failed(self, unit: Unit, message_id: str, *, next_ms: int | None, error: str) -> None:
        """Note a failed delivery, to be tried again at `next_ms`, or never for `None`."""
        state: MessageState = "dead" if next_ms is None else "waiting"
        own(unit).execute(_FAILED, (state, next_ms or 0, error, message_id))

    def list(self, unit: Unit, *, state: MessageState | None, tenant: str | None, limit: int) -> Sequence[Message]:
        """Messages, newest first, for operators."""
        wanted = (state or "", state or "", tenant or "", tenant or "", limit)
        return [Message(**row) for row in own(unit).rows(_LIST, wanted)]

    def retry(self, unit: Unit, message_id: str, *, now_ms: int) -> bool:
        """Make a dead message due now; `False` if it isn't dead."""
        return own(unit).execute(_RETRY, (now_ms, message_id)) > 0

    def purge(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop messages that were sent before then; how many."""
        return own(unit).execute(_PURGE, (before_ms, limit))
