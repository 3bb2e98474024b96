"""`Address`: what a store URL for PostgreSQL says, and what of it may be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from fourfold.adapters.store_url import shown_url
from fourfold.errors import ConfigError

__all__ = ["Address", "Isolation", "read_address"]

Isolation = Literal["repeatable read", "serializable"]

_ISOLATIONS: dict[str, Isolation] = {"repeatable-read": "repeatable read", "serializable": "serializable"}
_FORM = "write postgresql://user@host:5432/database, with the password in PGPASSWORD or ~/.pgpass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a database is, and how the store uses it.

    Attributes:
        shown: the URL without password and options, for people.
        handlers: the role that handlers run as; `None` for that of the server itself.
        isolation: how writes are kept apart.
    """

    shown: str
    handlers: str | None
    isolation: Isolation
    _conninfo: str

    def __repr__(self) -> str:
        return f"<{self.shown}>"

    def reveal(self) -> str:
        """What libpq connects with, a password included; for connecting and for nothing else."""
        return self._conninfo


def read_address(url: str) -> Address:
    """Read `postgresql://user@host:5432/database?handlers=role&isolation=serializable`.

    Every other option goes to libpq. What the URL leaves out comes from libpq's environment variables.

    Raises:
        ConfigError: it has another form. The message never quotes it.
    """
    where, _, query = url.partition("?")
    options = parse_qsl(query, keep_blank_values=True)
    own = {name: value for name, value in options if name in ("handlers", "isolation")}
    rest = urlencode([pair for pair in options if pair[0] not in own], quote_via=quote)
    libpq_url = f"{where}?{rest}" if rest else where
    try:
        conninfo_to_dict(libpq_url)
    except psycopg.ProgrammingError:
        # Its text may quote a password that holds a character which has to be escaped.
        raise ConfigError(f"the store's URL cannot be read: {_FORM}") from None
    isolation = own.get("isolation", "repeatable-read")
    if isolation not in _ISOLATIONS:
        raise ConfigError(f"the store's isolation is one of: {', '.join(_ISOLATIONS)}")
    # Text is UTF-8 on the way, whatever the database or the environment says.
    conninfo = make_conninfo(libpq_url, client_encoding="UTF8")
    return Address(
        shown=shown_url(url),
        handlers=own.get("handlers") or None,
        isolation=_ISOLATIONS[isolation],
        _conninfo=conninfo,
    )
