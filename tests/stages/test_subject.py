"""The Subject of a run: who may name it, and when it is kept."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field

from fourfold import Create, Input, Output, RunDraft, Subject, Unit
from fourfold.testing import Kit, open_kit
from tests.stages.desk import ACCOUNT, FileClosed, Nothing, Said, SaidOnce, desk, one_tool, said

KEY = "a-key-of-16-signs"


class Line(Input):
    """One line of an order."""

    pieces: Annotated[int, Field(ge=1, le=9)]


class Order(Input):
    """An order for a customer, whose number stands inside another object."""

    customer: Customer
    customer_kind: Annotated[str, Field(pattern=r"^[a-z]{1,9}$", max_length=9)] = "plain"
    lines: Annotated[list[Line], Field(max_length=100)] = Field(default_factory=list[Line])


class Customer(Input):
    """Who orders."""

    number: Annotated[int, Field(ge=1, le=999), Subject()]


class Basket(Input):
    """Accounts by the name that the wire knows."""

    accounts: Annotated[list[Annotated[str, Field(max_length=20), Subject()]], Field(max_length=5)]
    word: Annotated[str, Field(max_length=5)] = ""


class Renamed(Input):
    """An account under another name on the wire."""

    account: Annotated[str, Field(alias="accountId", max_length=20), Subject()]


class Found(Output):
    """What was found, and whose it is."""

    owner: Annotated[str | None, Field(max_length=500), Subject()] = None


def order_add(request: Order) -> Said:
    """Nothing but success."""
    return Said(text="ok")


def basket_add(request: Basket) -> Said:
    """Nothing but success."""
    return Said(text="ok")


def renamed_add(request: Renamed) -> Said:
    """Nothing but success."""
    return Said(text="ok")


def subject_of(kit: Kit, arguments: dict[str, Any]) -> str:
    """The Subject of the run that a call with these arguments leaves."""
    kit.call("note_add", arguments)
    return kit.runs()[0].subject


def test_the_contract_names_the_subject(kit: Kit) -> None:
    """A9: an argument marked as Subject."""
    assert subject_of(kit, {"account_id": ACCOUNT, "text": "hi"}) == ACCOUNT


def test_the_handler_names_the_subject() -> None:
    """A9: through the run that it takes by type."""
    with open_kit(one_tool(said)) as kit:
        assert subject_of(kit, {"word": "acct-5"}) == "acct-5"


def test_a_draft_that_nobody_names_is_unknown() -> None:
    """A9: counted, not hidden."""
    with open_kit(one_tool(said)) as kit:
        assert subject_of(kit, {}) == "unknown"


@pytest.mark.parametrize("effect", [None, Create()])
def test_the_store_names_the_subject(effect: Create | None) -> None:
    """A9: where only a row knows whose invoice it is, in reads and in writes."""

    def find(request: Nothing, unit: Unit) -> Said:
        row = unit.row("SELECT id FROM account WHERE tenant = 'globex'")
        unit.subject(row["id"] if row else "")
        return Said(text="found")

    with open_kit(one_tool(find, effect)) as kit:
        assert subject_of(kit, {}) == "acct-9"


def test_the_result_names_the_subject() -> None:
    """A9: an output field marked as Subject."""

    def find(request: Nothing) -> Found:
        return Found(owner="acct-8")

    with open_kit(one_tool(find)) as kit:
        assert subject_of(kit, {}) == "acct-8"


def test_a_result_without_its_subject_field_names_none() -> None:
    """A9: an optional Subject may be left out."""

    def find(request: Nothing) -> Found:
        return Found()

    with open_kit(one_tool(find)) as kit:
        assert subject_of(kit, {}) == "unknown"


@pytest.mark.parametrize(
    ("arguments", "subject"),
    [
        ({"account_id": ACCOUNT}, ACCOUNT),
        ({"account_id": ACCOUNT, "text": 5, "colour": "red"}, ACCOUNT),
        ({"account_id": "1; DROP TABLE note", "text": "hi"}, "unknown"),
        ({"account_id": None, "text": "hi"}, "unknown"),
        ({"account_id": [ACCOUNT], "text": "hi"}, "unknown"),
        ({"text": "hi"}, "unknown"),
    ],
)
def test_an_invalid_call_keeps_a_subject_that_is_valid_by_itself(
    kit: Kit, arguments: dict[str, Any], subject: str
) -> None:
    """A9: its account sees the failure, and nothing unchecked is stored."""
    assert subject_of(kit, arguments) == subject
    assert kit.runs()[0].outcome == "invalid"


@pytest.mark.parametrize(
    ("arguments", "subject"),
    [
        ({"customer": {"number": 7}}, "7"),
        ({"customer": {"number": 7}, "customer_kind": "!"}, "7"),
        ({"customer": {"number": 7, "colour": "red"}}, "7"),
        ({"customer": {"number": 7000}}, "unknown"),
        ({"customer": {}}, "unknown"),
        ({"customer": 7}, "unknown"),
        ({"customer": {"number": 7}, "lines": [{"pieces": 10}] * 49}, "7"),
        ({"customer": {"number": 7}, "lines": [{"pieces": 10}] * 60}, "unknown"),
    ],
)
def test_only_problems_of_the_subject_itself_hide_it(arguments: dict[str, Any], subject: str) -> None:
    """A9: not those of a field with a longer name; with more problems than are listed, nobody can tell."""
    with open_kit(one_tool(order_add)) as kit:
        assert subject_of(kit, arguments) == subject


@pytest.mark.parametrize(
    ("accounts", "subject"),
    [(["acct-3"], "acct-3"), (["acct-3", "acct-4"], "unknown"), ([], "unknown"), (["x" * 21], "unknown")],
)
def test_only_a_sole_item_of_a_list_is_the_subject(accounts: list[str], subject: str) -> None:
    """A9: one run has one Subject, and naming the first of several would blame the wrong account."""
    with open_kit(one_tool(basket_add)) as kit:
        assert subject_of(kit, {"accounts": accounts}) == subject


def test_a_subject_is_found_under_its_name_on_the_wire() -> None:
    """A9: an alias is how callers know the field."""
    with open_kit(one_tool(renamed_add)) as kit:
        assert subject_of(kit, {"accountId": "acct-6"}) == "acct-6"


@pytest.mark.parametrize(
    ("named", "stored"), [("a" * 201, "a" * 200), ("\ud83d", "\ufffd"), ("", "unknown"), (17, "17")]
)
def test_a_subject_that_cannot_be_stored_does_not_lose_its_run(named: Any, stored: str) -> None:
    """A9: a handler may write anything into its draft."""

    def handler(request: SaidOnce, run: RunDraft) -> Said:
        run.subject = named
        return Said(text="ok")

    with open_kit(one_tool(handler)) as kit:
        assert subject_of(kit, {}) == stored


def test_a_fault_keeps_the_subject_that_the_handler_named() -> None:
    """A9: also when what it wrote is undone."""

    def handler(request: SaidOnce, run: RunDraft) -> Said:
        run.subject = "acct-4"
        raise FileClosed

    with open_kit(one_tool(handler, Create(), faults=[FileClosed])) as kit:
        assert subject_of(kit, {}) == "acct-4"


def test_a_replay_has_the_subject_of_the_first_call() -> None:
    """A9: the handler that named it does not run again."""
    with open_kit(one_tool(said, Create())) as kit:
        kit.call("note_add", {"word": "acct-5"}, key=KEY)
        kit.call("note_add", {"word": "acct-5"}, key=KEY)

        assert [(run.replayed, run.subject) for run in kit.runs()] == [(True, "acct-5"), (False, "acct-5")]


def test_a_key_that_is_wrong_keeps_the_subject() -> None:
    """A9: the arguments themselves are in order."""
    with open_kit(desk()) as kit:
        kit.call("note_add", {"account_id": ACCOUNT, "text": "hi"}, key="short")

        assert [(run.outcome, run.subject) for run in kit.runs()] == [("invalid", ACCOUNT)]
