"""The catalog diff: what changed since the lock, the worst first, with both texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fourfold.contracts.lock import lock_of
from fourfold.model.listed import ListedCatalog, ListedTool
from fourfold.model.lock import CatalogLock, LockReview
from tests.console.desk import Seen, open_desk
from tests.console.past import HOSTILE, escaped
from tests.console.test_tools import known
from tests.stages.shop import shop

KNOWN = known(shop())


def locked(changes: dict[str, dict[str, Any]]) -> CatalogLock:
    """A lock of the shop, taken when fields of its tools were others; a tool with no fields was not there."""
    tools = [
        ListedTool(
            definition={**dict(tool.definition), **changes.get(tool.name, {})}, contract=KNOWN.contracts[tool.name]
        )
        for tool in KNOWN.lock.tools
        if changes.get(tool.name) != {}
    ]
    return lock_of(ListedCatalog(target="shop:catalog", tools=tuple(tools)))


def page(lock: CatalogLock | None) -> Seen:
    """The page, where that is the lock."""
    with open_desk(shop(), known=KNOWN, locked=lock) as desk:
        return desk.signed_in().get("/diff")


def schema_with(**fields: Any) -> dict[str, Any]:
    """The input schema of `order_place` with other fields."""
    tool = next(tool for tool in KNOWN.lock.tools if tool.name == "order_place")
    schema: dict[str, Any] = {**tool.definition["inputSchema"]}
    return {**schema, "properties": {**schema["properties"], **fields}}


def test_nothing_has_changed() -> None:
    """D5: both digests, and a plain sentence."""
    seen = page(KNOWN.lock)
    assert "Nothing has changed since the lock." in seen.words
    assert f"Locked {KNOWN.lock.digest}, 3 tools Running {KNOWN.lock.digest}, 3 tools" in seen.words


def test_changes_are_grouped_by_what_they_do() -> None:
    """D5: breaking, routing, additive, each with its place and what stands there now and stood before."""
    narrower = schema_with(pieces={"type": "integer", "minimum": 1, "maximum": 500})
    lock = locked({"order_place": {"inputSchema": narrower, "description": "Places two orders."}, "order_count": {}})
    words = page(lock).words
    assert "3 changes: 1 breaking, 1 routing, 1 additive. 1 under the same version." in words
    assert (
        "Breaking Calls or results that were good no longer are, or something happens that did not. "
        "order_place input narrowed at /inputSchema/properties/pieces/maximum: maximum was 500 and is 100. "
        "Under the same version. Before 500 Now 100" in words
    )
    assert "order_count tool added: a new tool to choose from." in words


def test_a_changed_text_is_told_word_by_word() -> None:
    """D5: what went is struck out and what came is underlined, so that no colour is needed."""
    tool = next(tool for tool in KNOWN.lock.tools if tool.name == "order_count")
    before = tool.definition["description"].replace("Counts orders.", "Counts all orders.")
    assert "Counts <del>all</del> orders. Use when" in page(locked({"order_count": {"description": before}})).text


def test_a_field_that_came_stood_nowhere_before() -> None:
    """D5: one side is empty, and says so."""
    words = page(locked({"order_place": {"inputSchema": schema_with(note={"type": "string"})}})).words
    assert "order_place input removed at /inputSchema/properties/note: note is gone" in words
    assert 'Before { "type": "string" } Now nothing' in words


def test_a_tool_that_is_gone_leads_nowhere() -> None:
    """D5: there is no card of it."""
    gone = ListedTool(definition={"name": "order_cancel", "inputSchema": {"type": "object"}})
    tools = [ListedTool(definition=tool.definition, contract=KNOWN.contracts[tool.name]) for tool in KNOWN.lock.tools]
    seen = page(lock_of(ListedCatalog(target="shop:catalog", tools=(*tools, gone))))
    assert "order_cancel tool removed: calls of it are refused from now on." in seen.words
    assert "name=order_cancel" not in seen.text


def test_whoever_reviewed_the_lock_is_named() -> None:
    """D5: a review of another digest is none of this lock."""
    review = LockReview(digest=KNOWN.lock.digest, by="ana@acme", at="2026-10-01T10:00:00Z")
    assert "Reviewed by ana@acme at 2026-10-01T10:00:00Z" in page(replace(KNOWN.lock, reviews=(review,))).words
    other = replace(review, digest="0" * 64)
    assert "Reviewed by nobody, as the lock stands" in page(replace(KNOWN.lock, reviews=(other,))).words


def test_no_lock_says_how_one_is_made() -> None:
    """D5: and a console that knows no catalog says how it would."""
    assert "There is no lock of this catalog" in page(None).words
    assert "fourfold lock shop:catalog writes one" in page(None).words
    with open_desk(shop()) as desk:
        assert "The console was not told which catalog this is." in desk.signed_in().get("/diff").words


def test_somebody_of_one_tenant_sees_no_diff() -> None:
    """D5: it is about tools that a caller may not even list."""
    lock = locked({"order_place": {"description": "Places two orders."}})
    with open_desk(shop(), known=KNOWN, locked=lock) as desk:
        assert "order_place" not in desk.tenant("acme").get("/diff").words
        assert "order_place" in desk.deciding().get("/diff").words


def test_hostile_text_stays_text() -> None:
    """D5: a lock file may come from anywhere."""
    changed = {"order_place": {"description": HOSTILE, "title": HOSTILE, HOSTILE: 1}}
    review = LockReview(digest="", by=HOSTILE, at=HOSTILE)
    lock = locked(changed)
    assert escaped(page(replace(lock, reviews=(replace(review, digest=lock.digest),))).text)
