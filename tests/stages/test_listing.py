"""Listing: which tools a caller sees, in which order, and for whom the list is."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold import Caller, Catalog, Decision, PolicyQuestion, Read
from fourfold.errors import SealError
from fourfold.stages.service import Service
from fourfold.testing import FixedClock, caller, open_kit
from tests.stages.desk import desk, said
from tests.stages.serving import serving

LETTERS = "abcdefghjkmnpqrstuvwxyz"
"""Those that no other looks like: a catalog with two names that look alike does not build."""

NUMBERS = [f"{tens}{ones}" for tens in LETTERS for ones in LETTERS]


def catalog_of(count: int, **contract: Any) -> Catalog:
    """A catalog of `count` tools, declared in the order of nobody's choice."""
    catalog = Catalog("many")
    for name in reversed(NUMBERS[:count]):
        declared: dict[str, Any] = {"use_when": f"{name} is asked for", "not_for": "anything else", **contract}
        catalog.tool(name=f"word_{name}", version="1.0", does=f"Says {name}", effect=Read(), **declared)(said)
    return catalog


def names(service: Service, by: Caller, cursor: str | None = None) -> list[str]:
    """The names on one page."""
    return [contract.name for contract in service.list_tools(by, cursor).tools]


class Roles:
    """Editors see everything, viewers only what counts."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """By the caller's name."""
        seen = question.caller.principal == "editor" or question.contract.name == "note_count"
        return Decision(verdict="allow" if seen else "deny")


def test_tools_are_listed_by_name() -> None:
    """B11: the same order in every process, whatever order they were declared in."""
    with open_kit(catalog_of(30)) as kit:
        assert names(kit.service, caller()) == sorted(f"word_{name}" for name in NUMBERS[:30])


def test_hundreds_of_tools_come_in_pages() -> None:
    """C10, B11: each once, and the last page ends it."""
    with open_kit(catalog_of(450)) as kit:
        pages: list[int] = []
        seen: list[str] = []
        cursor: str | None = None
        while not pages or cursor is not None:
            listing = kit.service.list_tools(caller(), cursor)
            pages.append(len(listing.tools))
            seen += [contract.name for contract in listing.tools]
            cursor = listing.next_cursor

        assert pages == [200, 200, 50]
        assert seen == sorted(f"word_{name}" for name in NUMBERS[:450])


def test_a_list_that_fits_has_no_cursor() -> None:
    """B11: exactly one full page."""
    with open_kit(catalog_of(200)) as kit:
        assert kit.service.list_tools(caller()).next_cursor is None


@pytest.mark.parametrize("by", [caller("other"), caller(tenant="globex")])
def test_a_listing_cursor_is_of_one_caller(by: Caller) -> None:
    """B10: nobody goes on where somebody else stopped."""
    with open_kit(catalog_of(201)) as kit:
        cursor = kit.service.list_tools(caller()).next_cursor

        assert names(kit.service, caller(), cursor) == [f"word_{NUMBERS[200]}"]
        with pytest.raises(SealError):
            kit.service.list_tools(by, cursor)


def test_a_listing_cursor_is_of_one_list() -> None:
    """B10: after a deploy that changes the list, the client starts again instead of missing a tool."""
    with open_kit(catalog_of(201)) as kit, open_kit(catalog_of(202)) as changed:
        cursor = kit.service.list_tools(caller()).next_cursor

        with pytest.raises(SealError):
            changed.service.list_tools(caller(), cursor)


@pytest.mark.parametrize("cursor", ["", "x", "v1.AAAA", "word_aa"])
def test_an_invented_listing_cursor_is_refused(cursor: str) -> None:
    """B10, MP-070: never the first page."""
    with open_kit(catalog_of(2)) as kit, pytest.raises(SealError):
        kit.service.list_tools(caller(), cursor)


def test_a_listing_cursor_expires_after_an_hour() -> None:
    """B10: to the millisecond."""
    clock = FixedClock()
    with open_kit(catalog_of(201), clock=clock) as kit:
        cursor = kit.service.list_tools(caller()).next_cursor
        clock.advance(3_599.999)
        assert names(kit.service, caller(), cursor)
        clock.advance(0.001)
        with pytest.raises(SealError):
            kit.service.list_tools(caller(), cursor)


def test_the_policy_filters_the_list() -> None:
    """B11: each sees what it may call, and no more."""
    with open_kit(desk(Roles())) as kit:
        assert names(kit.service, caller("viewer")) == ["note_count"]
        assert names(kit.service, caller("editor")) == ["note_add", "note_count", "operation_status", "word_say"]


@pytest.mark.parametrize(("scopes", "seen"), [([], False), (["notes:read"], False), (["notes:write", "x"], True)])
def test_scopes_filter_the_list(scopes: list[str], seen: bool) -> None:
    """B11: all that a tool needs."""
    with open_kit(desk(needs={"notes:write"})) as kit:
        assert ("note_add" in names(kit.service, caller(scopes=scopes))) is seen


def test_a_step_up_tool_is_listed_without_its_scopes() -> None:
    """B18: and the scopes to ask for are those that it needs."""
    with open_kit(desk(needs={"notes:write"}, step_up=True)) as kit:
        assert "note_add" in names(kit.service, caller(scopes=[]))
        assert kit.service.step_up(caller(scopes=[]), "note_add") == {"notes:write"}
        assert kit.service.step_up(caller(scopes=["notes:write"]), "note_add") == frozenset()
        assert kit.service.step_up(caller(scopes=[]), "note_burn") == frozenset()


def test_no_scopes_are_asked_for_a_hidden_tool() -> None:
    """B18: a challenge would say that it is there."""
    with open_kit(desk(needs={"notes:write"})) as kit:
        assert kit.service.step_up(caller(scopes=[]), "note_add") == frozenset()


@pytest.mark.parametrize(
    ("toolsets", "seen"),
    [
        ([], ["note_add", "note_count", "operation_status", "word_say"]),
        (["writing"], ["note_add", "operation_status"]),
        (["writing", "testing"], ["note_add", "operation_status"]),
    ],
)
@pytest.mark.anyio
async def test_only_the_served_toolsets_are_listed(toolsets: list[str], seen: list[str]) -> None:
    """B11: deterministic routing; a tool in no toolset is served when none is chosen."""
    async with serving(desk(toolsets={"writing", "testing"}), toolsets=toolsets) as served:
        assert names(served.service, caller()) == seen


@pytest.mark.parametrize(
    ("catalog", "private"),
    [
        (desk(), False),
        (desk(needs={"notes:write"}), True),
        (desk(needs={"notes:write"}, step_up=True), False),
        (desk(Roles()), True),
    ],
)
def test_a_list_that_depends_on_the_caller_is_private(catalog: Catalog, private: bool) -> None:
    """B11, MP-097: no shared cache hands it to somebody else."""
    with open_kit(catalog) as kit:
        assert kit.service.list_tools(caller()).private is private


def test_finding_a_tool_is_as_listing_it() -> None:
    """B11: what is not on the list is not found, and what is has its contract."""
    with open_kit(desk(Roles())) as kit:
        assert kit.service.find(caller("viewer"), "note_add") is None
        assert kit.service.find(caller("viewer"), "note_burn") is None
        found = kit.service.find(caller("viewer"), "note_count")
        assert found is kit.service.list_tools(caller("viewer")).tools[0]


def test_listing_grants_nothing() -> None:
    """B11: a caller that has seen a tool is asked again when it calls."""

    class Fickle:
        """Allows listing, denies calling."""

        def decide(self, question: PolicyQuestion) -> Decision:
            """By whether arguments are known."""
            return Decision(verdict="deny" if question.arguments is not None else "depends")

    with open_kit(desk(Fickle())) as kit:
        assert "word_say" in names(kit.service, caller())
        assert kit.call("word_say", {"word": "x"}).code == "not_permitted"
