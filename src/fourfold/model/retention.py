"""`Retention`: how long what was settled, planned or sent is kept."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MIN_OUTCOME_MS", "Retention"]

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS

MIN_OUTCOME_MS = 24 * _HOUR_MS
"""The least that an outcome is kept: a client that comes back the next day must not do it twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Milliseconds that things are kept; unknown operations and dead messages are kept for ever.

    Attributes:
        outcome_ms: an outcome, from when its operation was claimed; a plan, from when it expired. An operation whose
            process died can be taken over as long; then it is unknown.
        tombstone_ms: after that, that the key was used.
        kept_ms: what a contract keeps of a call, from when it arrived.
        message_ms: a message, and with it its dedupe key, from when it was sent.
    """

    outcome_ms: int = 72 * _HOUR_MS
    tombstone_ms: int = 30 * _DAY_MS
    message_ms: int = 30 * _DAY_MS
    kept_ms: int = 30 * _DAY_MS
