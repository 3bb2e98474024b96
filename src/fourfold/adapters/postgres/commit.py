"""What became of a transaction whose COMMIT was not answered: the database is asked, on a new connection."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

import psycopg

from fourfold.adapters.postgres.address import Address
from fourfold.adapters.postgres.connect import connect
from fourfold.errors import StoreError

__all__ = ["was_committed"]

_ASK_FOR_S = 10.0
"""How long the database is asked: as long as a server takes to start again."""

_PAUSE_S = 0.1

# Another server that took over from a lost one may have given the same number to another transaction; then it writes
# another timeline.
_FATE = """
SELECT pg_xact_status(%s::xid8) AS status, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline
"""

_log = logging.getLogger(__name__)


def was_committed(address: Address, mark: Mapping[str, Any]) -> bool | None:
    """Whether the transaction of `mark` (xid, timeline) is committed; `None` if nobody can say."""
    ends = time.monotonic() + _ASK_FOR_S
    while (committed := _ask(address, mark)) is None and time.monotonic() < ends:
        time.sleep(_PAUSE_S)
    _log.error("the answer to COMMIT was lost; committed: %s", "unknown" if committed is None else committed)
    return committed


def _ask(address: Address, mark: Mapping[str, Any]) -> bool | None:
    try:
        with connect(address) as connection, psycopg.ClientCursor(connection) as cursor:
            found = cursor.execute(_FATE, (mark["xid"],)).fetchone() or {}
    except (StoreError, psycopg.Error) as error:
        _log.info("the database cannot be asked about a COMMIT now", exc_info=error)
        return None
    if found["timeline"] != mark["timeline"]:
        return None
    return {"committed": True, "aborted": False}.get(found["status"])
