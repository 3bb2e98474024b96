"""A store's URL as people may see it: in a terminal, in a log, in an error."""

from __future__ import annotations

import re

__all__ = ["is_postgres", "shown_url"]

_PLAIN = re.compile(
    r"""
    (?P<scheme> postgres(?:ql)? ) ://
    (?: (?P<user> [\w.-]+ ) (?: :[^/@]* )? @ )?
    (?P<where> (?: [\w.,-]* (?: :\d+ )? )* (?: / [\w.-]* )? )
    (?: \?[^@]* )?
    """,
    re.ASCII | re.DOTALL | re.VERBOSE,
)
"""A URL of the usual form. In any other one, part of a password may stand where a host or a database is looked for."""


def is_postgres(url: str) -> bool:
    """Whether `url` names a PostgreSQL database."""
    return url.startswith(("postgresql:", "postgres:"))


def shown_url(url: str) -> str:
    """`url` without password and options."""
    if not is_postgres(url):
        return url
    # No parser of URLs: what one makes of a password that was not escaped differs from one to the next.
    found = _PLAIN.fullmatch(url)
    if found is None:
        return "postgresql://…"
    user = f"{found['user']}@" if found["user"] else ""
    return f"postgresql://{user}{found['where']}"
