"""Which Host and Origin may come in. These two stop a web page from reaching a server through the user's browser."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit

from fourfold.edge.settings import HttpSettings

__all__ = ["Perimeter", "is_loopback"]

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether a bind address is reachable from this machine only."""
    return host.lower().strip("[]") in _LOOPBACK


class Perimeter:
    """Checks the `Host` and `Origin` headers, and counts the hosts that it refused.

    Bound to loopback, the loopback names are accepted beside `public_hosts` (a proxy in front). Bound beyond it,
    only `public_hosts` are, so that a name that somebody else's DNS points here is refused (case MP-133).
    """

    def __init__(self, settings: HttpSettings) -> None:
        # Beyond loopback a loopback name in Host means that somebody's DNS points there, not that somebody is local.
        self._local = frozenset[str]() if settings.beyond_loopback else _LOOPBACK
        self._hosts = self._local | {host.lower() for host in settings.public_hosts}
        self._origins = {origin.lower() for origin in settings.allowed_origins}
        self.host_rejections = 0

    def admits_host(self, values: list[str]) -> bool:
        """Whether exactly one acceptable `Host` was sent."""
        admitted = len(values) == 1 and (values[0].lower() in self._hosts or _name(f"//{values[0]}") in self._hosts)
        self.host_rejections += not admitted
        return admitted

    def admits_origin(self, values: list[str]) -> bool:
        """Whether there is no `Origin`, as from anything but a browser, or one acceptable one."""
        if not values:
            return True
        if len(values) > 1:
            return False
        origin = values[0].lower()
        return origin in self._origins or (origin.startswith(("http://", "https://")) and _name(origin) in self._local)


@lru_cache(maxsize=256)
def _name(authority: str) -> str:
    """The host name in a URL without its port; "" if there is none or it is not plainly a host."""
    try:
        parts = urlsplit(authority)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        return ""
    # Anything but a bare authority is an attempt to be read differently by two parsers.
    plain = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return (parts.hostname or "") if port_is_fine and plain else ""
