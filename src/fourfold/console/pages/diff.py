"""Catalog diff: what has changed between the lock and the catalog that runs, and what each change does."""

from __future__ import annotations

from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.changes import shown
from fourfold.console.pages.tools import catalog_of
from fourfold.contracts.diff import diff
from fourfold.model.lock import IMPACTS

__all__ = ["catalog_diff"]

_MEANS = {
    "breaking": "calls or results that were good no longer are, or something happens that did not",
    "routing": "words that a model chooses by have changed",
    "additive": "everything that worked still does",
}


async def catalog_diff(asked: Asked) -> Response:
    """The changes, the worst first."""
    known, locked = catalog_of(asked), asked.console.locked
    if known is None or locked is None:
        return asked.page("diff.html", known=known, locked=None)
    changes = diff(locked, known.lock)
    found = [shown(each, before=locked, after=known.lock) for each in changes]
    return asked.page(
        "diff.html",
        known=known,
        locked=locked,
        groups=[
            (impact, _MEANS[impact], [told for told in found if told.change.impact == impact]) for impact in IMPACTS
        ],
        changes=len(changes),
        unversioned=sum(each.same_version for each in changes),
        review=next((each for each in reversed(locked.reviews) if each.digest == locked.digest), None),
    )
