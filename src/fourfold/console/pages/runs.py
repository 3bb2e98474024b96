"""Runs: the newest first, filtered, a page at a time; and those that come while somebody looks."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.model.run import RunFilter
from fourfold.ports.runs import RunPlace
from fourfold.runs.pages import RunPage, count_runs, place_text, read_place, run_page

__all__ = ["runs", "tail"]

PAGE = 50
MOST_WATCHED = 500
"""Rows that a live tail adds; a browser that nobody closes would fill up."""

_HOUR_MS = 3_600_000
_SPANS = {"": None, "1h": _HOUR_MS, "24h": 24 * _HOUR_MS, "7d": 168 * _HOUR_MS, "30d": 720 * _HOUR_MS}
_OUTCOMES = ("", "done", "invalid", "rejected", "denied", "refused", "needs_input", "failed", "unknown", "cancelled")
_FILTERS = ("tool", "account", "principal", "code", "outcome", "since", "failed")


def filter_of(asked: Asked) -> RunFilter:
    """Which runs the query of a page asks for."""
    span = _SPANS.get(asked.value("since"))
    return RunFilter(
        tenant=asked.tenant,
        tool=asked.value("tool"),
        subject=asked.value("account"),
        principal=asked.value("principal"),
        code=asked.value("code"),
        outcome=asked.choice("outcome", *_OUTCOMES),
        failed=asked.value("failed") == "yes",
        since_ms=None if span is None else asked.console.clock.now_ms() - span,
    )


async def runs(asked: Asked) -> Response:
    """The list with its filters; or the run that was looked for by its id or a reference."""
    wanted = asked.value("find")
    if wanted:
        found = await asked.console.store.runs.show(wanted)
        if found is not None and asked.viewer.sees(found.run.tenant):
            return asked.see_other(f"/runs/{quote(found.run.run_id, safe='')}")
    where, store = filter_of(asked), asked.console.store
    older, newer = _place(asked.value("before")), _place(asked.value("after"))
    direction = "newer" if newer is not None else "older"
    page = await run_page(store, where, place=newer or older, direction=direction, limit=PAGE)
    catalog = asked.console.catalog if asked.viewer.sees_catalog else None
    return asked.page(
        "runs.html",
        page=page,
        count=await count_runs(store, where),
        chosen=_chosen(asked),
        newest=_newest(page) if older is newer is None else None,
        newer=_text(page.newer),
        older=_text(page.older),
        not_found=wanted,
        outcomes=_OUTCOMES[1:],
        spans=list(_SPANS)[1:],
        tools=[] if catalog is None else list(catalog.tools),
    )


async def tail(asked: Asked) -> Response:
    """What the live tail swaps in: rows that came after those that the page has, or its switch."""
    after, switch = asked.value("after"), asked.choice("switch", "", "on", "off")
    watched = _number(asked.value("watched"))
    if switch:
        return asked.page("tail-switch.html", newest=after, watched=0, live=switch == "on", chosen=_chosen(asked))
    page = await run_page(asked.console.store, filter_of(asked), place=_place(after), direction="newer", limit=PAGE)
    watched += len(page.records)
    return asked.page(
        "tail.html",
        records=page.records,
        newest=_newest(page) or after,
        watched=watched,
        live=watched < MOST_WATCHED,
        chosen=_chosen(asked),
    )


def _chosen(asked: Asked) -> Mapping[str, str]:
    """The filters that are set, for the links that keep them."""
    return {name: value for name in _FILTERS if (value := asked.value(name))}


def _place(text: str) -> RunPlace | None:
    """The place that a link leads to; the newest for anything that no link of ours has."""
    try:
        return read_place(text)
    except ValueError:
        return None


def _newest(page: RunPage) -> str:
    """The place of the first row, or "" without rows."""
    first = page.records[0].run if page.records else None
    return "" if first is None else place_text(RunPlace(first.at_ms, first.run_id))


def _text(place: RunPlace | None) -> str:
    return "" if place is None else place_text(place)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0
