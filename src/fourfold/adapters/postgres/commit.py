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

_ASK_FOR_S = 5.0
"""How long the database is asked: a server that was ended at once is mostly back by then."""

_PAUSE_S = 0.1

# Another server that took over from a lost one may have given the same number to another transaction; then it writes
# another timeline.
_FATE = """
SELECT pg_xact_status($1::xid8) AS status, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline
"""

_log = logging.getLogger(__name__)


def was_committed(address: Address, mark: Mapping[str, Any]) -> bool | None:
    """Whether the transaction of `mark` (xid, timeline) is committed; `None` if nobody can say."""
    ends = time.monotonic() + _ASK_FOR_S
    while (fate := _fate(address, mark)) == "in progress" and time.monotonic() < ends:
        time.sleep(_PAUSE_S)
    _log.error("the answer to COMMIT was lost; the transaction is %s", fate)
    return {"committed": True, "aborted": False}.get(fate)


def _fate(address: Address, mark: Mapping[str, Any]) -> str:
    """What the database says about the transaction; `in progress` also while it cannot be asked."""
    try:
        with connect(address) as connection:
            found = connection.execute(_FATE, (mark["xid"],)).fetchone() or {}
    except (StoreError, psycopg.Error) as error:
        _log.info("the database cannot be asked about a COMMIT now", exc_info=error)
        return "in progress"
    return found["status"] or "forgotten" if found["timeline"] == mark["timeline"] else "lost with its server"
