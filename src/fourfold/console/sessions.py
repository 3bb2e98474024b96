"""Sign-in links that work once, and the sessions that they begin. In memory: ending the console signs everybody out."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256

from fourfold.console.viewer import Viewer
from fourfold.ports.clock import Clock

__all__ = ["LINK_MS", "Links", "Session", "Sessions"]

LINK_MS = 10 * 60_000
"""How long a link may wait to be used."""

_IDLE_MS = 60 * 60_000
_LONGEST_MS = 12 * 60 * 60_000
_MOST = 1_000
"""Sessions or links at once; the one that was used longest ago goes first."""


def _digest(secret: str) -> bytes:
    # What is kept opens nothing: neither a memory dump nor the time of a lookup gives a token away.
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


@dataclass(slots=True, kw_only=True)
class Session:
    """A person who is signed in. `csrf` stands in every form, and no other page can read it."""

    viewer: Viewer
    began_ms: int
    seen_ms: int
    csrf: str = field(repr=False)

    def has_csrf(self, given: str) -> bool:
        """Whether a form came from a page of this session."""
        return hmac.compare_digest(self.csrf.encode(), given.encode("utf-8", "surrogatepass"))


class Sessions:
    """Sessions by their cookie, which is known here by its digest alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open: dict[bytes, Session] = {}

    def begin(self, viewer: Viewer) -> str:
        """The cookie of a new session. A cookie that was there before sign-in is never taken over."""
        if len(self._open) >= _MOST:
            del self._open[min(self._open, key=lambda digest: self._open[digest].seen_ms)]
        cookie, now = secrets.token_urlsafe(32), self._clock.now_ms()
        self._open[_digest(cookie)] = Session(viewer=viewer, began_ms=now, seen_ms=now, csrf=secrets.token_urlsafe(32))
        return cookie

    def find(self, cookie: str) -> Session | None:
        """The session of `cookie`, unless it was idle for an hour or began twelve hours ago."""
        digest, now = _digest(cookie), self._clock.now_ms()
        session = self._open.get(digest)
        if session is None:
            return None
        if now - session.seen_ms > _IDLE_MS or now - session.began_ms > _LONGEST_MS:
            del self._open[digest]
            return None
        session.seen_ms = now
        return session

    def end(self, cookie: str) -> None:
        """Sign out."""
        self._open.pop(_digest(cookie), None)


class Links:
    """Links that sign somebody in, once, within ten minutes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: dict[bytes, tuple[Viewer, int]] = {}

    def new(self, viewer: Viewer) -> str:
        """The secret of a link for `viewer`."""
        if len(self._waiting) >= _MOST:
            del self._waiting[min(self._waiting, key=lambda digest: self._waiting[digest][1])]
        secret = secrets.token_urlsafe(32)
        self._waiting[_digest(secret)] = (viewer, self._clock.now_ms() + LINK_MS)
        return secret

    def use(self, secret: str) -> Viewer | None:
        """Whom the link signs in; `None` for one that was used, is too old, or never was."""
        viewer, until_ms = self._waiting.pop(_digest(secret), (None, 0))
        return viewer if self._clock.now_ms() < until_ms else None
