"""Each check of tenants against a real server that breaks it, and against two that do not."""

from __future__ import annotations

import pytest

from tests.prove.shelf import at_framework, at_shelf, at_stranger

FOREIGN = "foreign-id-is-absent"
BROKEN = [
    ("any-tenant", FOREIGN, "note_get", "note_id of another caller is answered with"),
    ("any-tenant", FOREIGN, "note_update", "one that nobody has with unknown_note"),
    ("any-tenant", FOREIGN, "note_join", "one that nobody has with unknown_note"),
    ("any-tenant", FOREIGN, "note_delete_plan", "one that nobody has with unknown_note"),
    ("says-foreign", FOREIGN, "note_get", "is answered with forbidden, one that nobody has with unknown_note"),
    ("says-foreign", FOREIGN, "note_archive", "is answered with forbidden, one that nobody has with unknown_note"),
    ("any-cursor", "foreign-cursor-refused", "note_list", "a cursor of another caller is accepted"),
    ("all-listed", "lists-are-apart", "note_list", "what one caller made is in the other one's list"),
]
"""Fault of the server, the check that names it, the tool, and what it says."""

STRANGE = [BROKEN[0], BROKEN[1], BROKEN[4], BROKEN[6]]


@pytest.mark.anyio
@pytest.mark.parametrize(("fault", "check", "tool", "detail"), BROKEN)
async def test_what_leaks_between_tenants_is_named(fault: str, check: str, *, tool: str, detail: str) -> None:
    """B18, C9: by the second caller, with the call of the first that the id came from."""
    found = next(each for each in await at_shelf(check, faults=[fault]) if each.tool == tool)
    assert (found.status, detail in found.detail, {each.caller for each in found.calls}) == (
        "failed",
        True,
        {"first", "second"},
    ), found.detail


@pytest.mark.anyio
@pytest.mark.parametrize(("fault", "check", "tool", "detail"), STRANGE)
async def test_what_leaks_from_a_stranger_is_named(fault: str, check: str, *, tool: str, detail: str) -> None:
    """B18: by what it answers alone."""
    found = next(each for each in await at_stranger(check, faults=[fault]) if each.tool == tool)
    assert (found.status, detail in found.detail) == ("failed", True), found.detail


@pytest.mark.anyio
async def test_a_definition_that_names_its_reader_is_named() -> None:
    """B18: what is listed may depend on the caller; what it says may not."""
    (found,) = await at_stranger("definitions-are-for-all", faults=["names-tenant"])
    assert (found.status, found.tool) == ("failed", "")
    assert found.detail.endswith(" is told otherwise to the other caller, at /description")


@pytest.mark.anyio
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_catalog_of_ours_keeps_tenants_apart(seed: int) -> None:
    """B18, C9: no id, cursor or list of one caller tells the other anything; the time is said and not judged."""
    found = await at_framework("tenant", seed=seed)
    assert [each for each in found if each.status != "passed"] == []
    assert {each.check for each in found} == {check for _, check, _, _ in BROKEN} | {
        "definitions-are-for-all",
        "callers-do-not-meet",
    }
    times = [each.detail for each in found if each.check == FOREIGN]
    assert all(each.endswith("that is not judged") for each in times)


@pytest.mark.anyio
async def test_a_sound_server_by_hand_keeps_them_apart_too() -> None:
    """B18: though tenants share one row of numbers, so that a made-up id may be somebody's."""
    known, strange = await at_shelf("tenant"), await at_stranger("tenant")
    assert [each for each in (*known, *strange) if each.status == "failed"] == []


@pytest.mark.anyio
async def test_shared_entries_are_no_leak_until_somebody_adds_one() -> None:
    """B18: a list that both see may be a price list; without leave to write nobody can tell."""
    found = await at_shelf("lists-are-apart", faults=["all-listed", "any-tenant"], writes=False)
    assert [(each.status, each.tool) for each in found] == [("not_tested", "note_list")]
    assert found[0].detail == "6 of 6 entries are in the lists of both callers, shared or leaked"


@pytest.mark.anyio
async def test_what_is_listed_and_not_there_for_the_same_caller_is_a_leak() -> None:
    """B18: no write is needed to see that, because the server itself says whose it is."""
    found = await at_shelf("lists-are-apart", faults=["all-listed"], writes=False)
    assert [(each.status, each.tool) for each in found] == [("failed", "note_list")]
    assert found[0].detail == "a note_id is listed to the caller for whom it is not there"
