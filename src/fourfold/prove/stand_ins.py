"""What stands in a record of a run in the place of credentials and addresses: a number for each, in their order.

The same one has the same number wherever it comes, so that what was equal stays equal. The order is all that a replay
needs to give out the same numbers again: no key is kept, and no number leads back to what it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from fourfold.contracts.names import words
from fourfold.model.redact import replaced

__all__ = ["StandIns"]

_STANDS_IN = re.compile(r"\[redacted-(\d+)\]|redacted-(\d+)@example\.invalid")
_NOBODYS = re.compile(r"@(?:[\w-]+\.)*(?:example|invalid|test|localhost|example\.(?:com|net|org))$", re.IGNORECASE)
"""Domains that are for examples (RFC 2606): samples are full of them, and nobody has such an address."""

_SECRETS = frozenset(
    {"password", "passwd", "passphrase", "secret", "credential", "credentials", "authorization", "cookie"}
)
_TWO_WORDS = frozenset(
    {
        "api key",
        "access key",
        "private key",
        "access token",
        "refresh token",
        "auth token",
        "bearer token",
        "set cookie",
    }
)
"""Names of fields whose text is hidden whatever it looks like. A page token is none of them: it names a page."""


class StandIns:
    """Gives out the numbers of one run."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._last = 0

    def clean(self, value: object) -> object:
        """A value of JSON without what has to be hidden. Clean already, it stays as it is."""
        if isinstance(value, str):
            self._pass_over(value)
            return replaced(value, self._stand_in)
        if isinstance(value, Mapping):
            members = cast("Mapping[str, object]", value)
            return {name: self._member(name, each) for name, each in members.items()}
        if isinstance(value, list | tuple):
            return [self.clean(each) for each in cast("list[object]", value)]
        return value

    def _member(self, name: str, value: object) -> object:
        said = words(name)
        is_secret = bool(_SECRETS & {*said}) or " ".join(said[-2:]) in _TWO_WORDS
        if is_secret and isinstance(value, str) and value:
            self._pass_over(value)
            return self._stand_in(value)
        return self.clean(value)

    def _pass_over(self, text: str) -> None:
        """Take the numbers that stand in a text as given out: in a replay, they were."""
        for found in _STANDS_IN.finditer(text):
            self._last = max(self._last, int(found[1] or found[2]))

    def _stand_in(self, hidden: str) -> str:
        if (found := _STANDS_IN.search(hidden)) is not None:
            return found[0]
        if _NOBODYS.search(hidden) is not None:
            return hidden
        if hidden not in self._numbers:
            self._last += 1
            self._numbers[hidden] = self._last
        number = self._numbers[hidden]
        is_address = "@" in hidden and "/" not in hidden and " " not in hidden
        return f"redacted-{number}@example.invalid" if is_address else f"[redacted-{number}]"
