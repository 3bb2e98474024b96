"""What a unit may ask of PostgreSQL: a look at the words of each statement.

Owns the rules, as functions. Like SQLite's authorizer it is for authors' mistakes and for SQL that a model had a
hand in. It reads words, not what a statement reaches through functions that the catalog itself made: the wall behind
it is a role of its own for handlers (`?handlers=` in the store's URL), which has no rights on the framework's tables.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise

from fourfold.adapters.sql.statement import Statement, read_statement
from fourfold.errors import StoreError

__all__ = ["Rights", "checked"]


class Rights(Enum):
    """Whose statement it is."""

    HANDLER = auto()
    """A handler's: it reads and writes the catalog's own tables."""
    PREPARE = auto()
    """The catalog's at the start: it also makes and changes its own tables."""
    FRAMEWORK = auto()
    """The framework's: only it knows the tables `fourfold_*`."""


_ROWS = {"select", "insert", "update", "delete", "merge", "values", "with", "table"}
_SCHEMA = {
    "alter", "analyze", "comment", "create", "drop", "grant", "reindex", "revoke", "truncate",
}  # fmt: skip

_SESSION = re.compile(
    r"""
    set_config
    | dblink\w*
    | (?: query | table | schema | database | cursor ) _to_ (?: xml | xmlschema | xml_and_xmlschema )
    | pg_ (?: try_ )? advisory_ (?: un )? lock (?: _shared | _all )?
    | pg_ (?: cancel | terminate ) _backend
    """,
    re.VERBOSE,
)
"""Functions that change settings, hold a lock beyond the transaction, run text as SQL, or end other transactions."""


@lru_cache(maxsize=1_024)
def checked(sql: str, rights: Rights) -> Statement:
    """`sql` taken apart, if a unit with `rights` may run it.

    Raises:
        StoreError: it may not; or `sql` is more than one statement.
    """
    statement = read_statement(sql)
    if not statement.single:
        raise StoreError("a unit runs one statement at a time")
    reason = None if rights is Rights.FRAMEWORK else _refusal(statement.words, rights)
    if reason is not None:
        raise StoreError(reason)
    return statement


def _refusal(words: tuple[str, ...], rights: Rights) -> str | None:
    """Why a statement of these words may not run, or `None` if it may."""
    if any(word.startswith("fourfold_") for word in words):
        return "tables named fourfold_* belong to the framework; a unit has no access to them"
    if any(_SESSION.fullmatch(word) for word in words):
        return "a unit has no settings, session locks or functions that run text; the framework sets what is needed"
    head = words[0] if words else ""
    if head in _SCHEMA or _makes_a_table(words):
        return _schema_refusal(words, rights)
    if head not in _ROWS:
        return "a unit has no transaction control, SET, LOCK, COPY or DO; the framework commits for it"
    return None


def _schema_refusal(words: tuple[str, ...], rights: Rights) -> str | None:
    if rights is not Rights.PREPARE:
        return "a handler cannot change the schema; do it in `prepare`"
    if words[0] == "create" and {"temp", "temporary"} & set(words[1:4]):
        return "a unit has no temporary tables: they would outlive its transaction on a connection that others share"
    return None


def _makes_a_table(words: tuple[str, ...]) -> bool:
    """Whether it is SELECT … INTO; other statements have INTO only after INSERT and MERGE."""
    return any(word == "into" and before not in ("insert", "merge") for before, word in pairwise(words))
