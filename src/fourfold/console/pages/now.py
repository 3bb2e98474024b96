"""Now: the last day by the hour. Is something wrong, and since when?"""

from __future__ import annotations

from starlette.responses import Response

from fourfold.console.asked import Asked

__all__ = ["now"]


async def now(asked: Asked) -> Response:
    """The first page."""
    return asked.page("now.html")
