"""`PageRequest`: where a page starts and how many items it may hold, as a handler gets it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PageRequest", "Position"]

Position = tuple[str | int, ...]
"""A keyset position: the sort key of the last item of a page. It is sealed before it leaves the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """Filled from the framework arguments `cursor` and `limit`, already opened and checked.

    `after` is the position of the last item that the caller has seen, or `None` on the first page. Fetch
    `limit + 1` items after it and hand them to `Page.of`.
    """

    limit: int
    after: Position | None = None
