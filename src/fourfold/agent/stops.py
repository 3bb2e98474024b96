"""The words for a call that the caller itself did not make, or did not go on with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fourfold.agent.outcome import Stopped, StopReason

__all__ = ["stopped"]

_WORDS: Mapping[StopReason, str] = MappingProxyType(
    {
        "not_allowed": "This tool may not be used here. Do without it.",
        "not_listed": "The server has no such tool for this caller. Use one that is listed.",
        "not_locked": "Nobody has reviewed this tool. Report it to the user; do not try another way.",
        "changed": "This tool is not the one that was reviewed. Report it to the user; do not try another way.",
        "listed_twice": "The server lists two tools of this name. Report it to the user; do not try another way.",
        "unreachable": "The server did not list its tools, so nothing was sent. Report it to the user.",
        "consent_missing": "This needs somebody's consent, and nobody can give it here. Report it to the user.",
        "consent_denied": "A person said no. Report it; do not try another way.",
        "nobody_to_ask": "The server asks for what nobody can answer here. Report it to the user.",
        "too_many_rounds": "The server asked again and again without an end. Report it to the user.",
    }
)


def stopped(reason: StopReason, detail: str = "") -> Stopped:
    """The outcome for a reason."""
    return Stopped(text=f"{reason}: {_WORDS[reason]}", reason=reason, detail=detail)
