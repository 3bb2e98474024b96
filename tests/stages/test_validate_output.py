"""The validate_output stage: what leaves conforms, is bounded, and holds no secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field, SecretStr

from fourfold import Caller, Create, Input, Limits, Output, Page, PageRequest, Personal, Secret
from fourfold.model.outcome import Done
from fourfold.testing import caller, open_kit
from tests.stages.archive import Entry, EntryList, archive
from tests.stages.desk import ACCOUNT, Note, NoteAdd, Notes, Nothing, one_tool, said
from tests.stages.serving import serving

HI = {"account_id": ACCOUNT, "text": "hi"}
KEY, CANARY = "a-key-of-16-signs", "canary-4711-0815"


def without_number(notes: Notes) -> Any:
    """A model that was built around validation."""
    return Note.model_construct(flags=[])


def out_of_bounds(notes: Notes) -> Any:
    """A number that the contract excludes."""
    return Note.model_construct(note_id=-1, flags=[])


def wrong_type(notes: Notes) -> Any:
    """What the author meant as a result."""
    return {"note_id": 1, "flags": []}


def nothing(notes: Notes) -> Any:
    """A forgotten return."""
    return None


@pytest.mark.parametrize("result", [without_number, out_of_bounds, wrong_type, nothing])
def test_a_result_that_breaks_its_contract_is_internal_and_undone(result: Any) -> None:
    """B3, MP-043: no repr, no half success; counted in the runs, and nothing stays written."""

    def handler(request: NoteAdd, notes: Notes) -> Note:
        notes.add(request.account_id, request.text)
        return result(notes)

    with open_kit(one_tool(handler, Create())) as kit:
        answer = kit.call("note_add", HI)

        assert (answer.kind, answer.code, answer.structured) == ("failed", "internal", {})
        assert kit.writes == 0
        (run,) = kit.runs()
        assert run.outcome == "failed"
        assert "OutputViolation" in run.note


def test_the_structured_result_is_made_from_the_model() -> None:
    """B3, MP-044: never from text; a success always has it, and it reads back as it was."""
    with open_kit(one_tool(said, says="A word was said")) as kit:
        answer = kit.call("note_add", {"word": "hello"})

        assert isinstance(answer.outcome, Done)
        assert answer.outcome.structured == b'{"text":"hello"}'
        assert answer.outcome.text == "A word was said"


@pytest.mark.parametrize(("limit", "code"), [(14, ""), (13, "result_too_large")])
def test_a_result_is_bounded_in_bytes(limit: int, code: str) -> None:
    """B19: as UTF-8 JSON, with the bound and a way out in the text."""
    with open_kit(one_tool(said, limits=Limits(result_bytes=limit))) as kit:
        answer = kit.call("note_add", {"word": "hé"})

        assert answer.code == code
        if answer.fault is not None:
            assert answer.fault.text == (
                "result_too_large: The result has 14 bytes, over 13. Narrow the request, or ask for fewer items a page."
            )
            assert answer.fault.retry == "after_fix"


@pytest.mark.parametrize(
    ("says", "text"),
    [
        ("", "note_add: done"),
        ("Said {text}", "Said hello"),
        ("{text}" * 61, "hello" * 60 + "… (shortened; the result has all of it)"),
    ],
)
def test_the_short_text_is_rendered_from_the_result(says: str, text: str) -> None:
    """A5: fields that are left out read as nothing, and a cut says that it is one."""
    with open_kit(one_tool(said, says=says)) as kit:
        answer = kit.call("note_add", {"word": "hello"})

        assert isinstance(answer.outcome, Done)
        assert answer.outcome.text == text


class Person(Output):
    """Somebody's record."""

    name: Annotated[str, Field(max_length=40)]
    email: Annotated[str | None, Field(max_length=80), Personal(unmask="people:email")] = None
    born: Annotated[str | None, Field(max_length=40), Personal()] = None
    pin: Annotated[str | None, Field(max_length=40), Secret()] = None


class People(Output):
    """Several records."""

    people: Annotated[list[Person], Field(max_length=5)]


class Key(Input):
    """A secret that comes in."""

    pin: Annotated[SecretStr, Field(max_length=40), Secret()]


def person(request: Nothing) -> Person:
    """Everything that there is to hide."""
    return Person(name="Ada", email="ada@example.org", born="1815-12-10", pin=CANARY)


def people(request: Nothing) -> People:
    """Two records, one of them with nothing to hide."""
    return People(people=[person(request), Person(name="Bob")])


@pytest.mark.parametrize(
    ("by", "email"),
    [
        (caller(scopes=[]), "[redacted]"),
        (caller(scopes=["people:read", "people"]), "[redacted]"),
        (caller(scopes=["people:email"]), "ada@example.org"),
    ],
)
def test_secrets_are_masked_and_personal_data_by_scope(by: Caller, email: str) -> None:
    """B3: a secret for everybody; personal data unless the caller holds the scope that shows it."""
    hidden = {"name": "Ada", "email": email, "born": "[redacted]", "pin": "[redacted]"}
    with open_kit(one_tool(person, says="{name} {email} {pin}")) as kit:
        answer = kit.call("note_add", by=by)

        assert answer.structured == hidden
        assert isinstance(answer.outcome, Done)
        assert answer.outcome.text == f"Ada {email} [redacted]"


def test_masks_reach_into_lists() -> None:
    """B3: every item; and what was left out stays left out."""
    hidden = {"name": "Ada", "email": "[redacted]", "born": "[redacted]", "pin": "[redacted]"}
    with open_kit(one_tool(people)) as kit:
        assert kit.call("note_add").structured == {"people": [hidden, {"name": "Bob"}]}


class Codes(Output):
    """Secrets without names of their own."""

    codes: Annotated[list[Annotated[str, Field(max_length=40), Secret()]], Field(max_length=3)]


def test_every_item_of_a_secret_list_is_masked() -> None:
    """B3: also where the items themselves are the secrets."""

    def codes(request: Nothing) -> Codes:
        return Codes(codes=[CANARY, f"{CANARY}-2"])

    with open_kit(one_tool(codes)) as kit:
        assert kit.call("note_add").structured == {"codes": ["[redacted]", "[redacted]"]}


class Numbered(Output):
    """A secret in a shape that no mask has."""

    pin: Annotated[str, Field(pattern=r"^[0-9]{4}$", max_length=4), Secret()]


def test_a_mask_never_breaks_the_output_contract() -> None:
    """B3: a client would throw such an answer away; the author is told instead."""

    def pin(request: Nothing) -> Numbered:
        return Numbered(pin="4711")

    with open_kit(one_tool(pin)) as kit:
        assert kit.call("note_add").code == "internal"
        assert "a masked field is text without a shape" in kit.runs()[0].note


def test_a_nameless_scope_shows_nothing() -> None:
    """B3: personal data without a scope that shows it is shown to nobody."""
    with open_kit(one_tool(person)) as kit:
        assert kit.call("note_add", by=caller(scopes=["", "*"])).structured["born"] == "[redacted]"


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Every file in `folder` by its name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.anyio
async def test_secrets_stand_in_no_file_of_the_store(tmp_path: Path) -> None:
    """B3, D1: canaries in arguments and results, kept for replays, failed and refused; then every byte is searched."""

    def pin_set(request: Key, notes: Notes) -> Person:
        notes.add(ACCOUNT, "pin set")
        if request.pin.get_secret_value() == f"{CANARY}-broken":
            raise RuntimeError(f"pin: {request.pin.get_secret_value()}")
        return Person(name="Ada", email=f"{CANARY}@example.org", pin=CANARY)

    async with serving(one_tool(pin_set, Create()), store=f"sqlite:///{tmp_path}/pins.db") as served:
        answers = [
            await served.call("note_add", {"pin": pin}, key=key)
            for pin, key in ((CANARY, KEY), (CANARY, KEY), (f"{CANARY}-broken", None), (f"{CANARY}-2", None))
        ]
        await served.records()

    assert [(answer.code, answer.replayed) for answer in answers] == [
        ("", False), ("", True), ("internal", False), ("", False)
    ]  # fmt: skip
    found = bytes_in(tmp_path)
    assert found
    assert [name for name, content in found.items() if CANARY.encode() in content] == []
    assert CANARY not in repr(answers)


def counted_wrong(page: PageRequest) -> Page[Entry]:
    """More than it says."""
    return Page[Entry](items=[Entry(number=1)], returned=2, has_more=False)


def more_without_position(page: PageRequest) -> Page[Entry]:
    """More, but not from where."""
    return Page[Entry](items=[Entry(number=1)], returned=1, has_more=True)


def own_cursor(page: PageRequest) -> Page[Entry]:
    """A cursor that anybody could make."""
    return Page[Entry](items=[Entry(number=1)], returned=1, has_more=True, next_cursor="offset=1")


def cursor_at_the_end(page: PageRequest) -> Page[Entry]:
    """A cursor where nothing follows."""
    return Page[Entry](items=[Entry(number=1)], returned=1, has_more=False, next_cursor="offset=1")


def too_many(page: PageRequest) -> Page[Entry]:
    """More than was asked for."""
    return Page[Entry](items=[Entry(number=number) for number in range(3)], returned=3, has_more=False)


def no_page(page: PageRequest) -> Any:
    """Something else."""
    return [Entry(number=1)]


@pytest.mark.parametrize(
    "made", [counted_wrong, more_without_position, own_cursor, cursor_at_the_end, too_many, no_page]
)
def test_a_page_made_by_hand_is_refused_when_it_is_wrong(made: Any) -> None:
    """B3, A16: no silent cut and no guessable cursor."""

    def handler(request: EntryList, page: PageRequest) -> Page[Entry]:
        return made(page)

    with open_kit(archive(handler)) as kit:
        assert kit.call("entry_list", {"limit": 2}).code == "internal"


def test_a_page_may_say_how_many_there_are() -> None:
    """B3: the total is the handler's to know."""

    def handler(request: EntryList, page: PageRequest) -> Page[Entry]:
        found = [Entry(number=number) for number in range(page.limit + 1)]
        return Page[Entry].of(found, page, position=lambda entry: (entry.number,), total=40)

    with open_kit(archive(handler)) as kit:
        answer = kit.call("entry_list")

        assert (answer.structured["total"], answer.structured["returned"]) == (40, 3)


def test_an_empty_page_is_a_page() -> None:
    """B3: nothing found is no fault."""

    def handler(request: EntryList, page: PageRequest) -> Page[Entry]:
        return Page[Entry].of([], page, position=lambda entry: (entry.number,))

    with open_kit(archive(handler)) as kit:
        assert kit.call("entry_list").structured == {"items": [], "returned": 0, "has_more": False}


def test_a_page_over_the_bytes_asks_for_fewer_items() -> None:
    """B19: the same call with a smaller limit fits."""
    with open_kit(archive()) as kit:
        one = kit.call("entry_list", {"limit": 1}).outcome
        assert isinstance(one, Done)
    with open_kit(archive(limits=Limits(result_bytes=len(one.structured)))) as kit:
        answers = [kit.call("entry_list", {"limit": limit}) for limit in (3, 1)]

        assert [answer.code for answer in answers] == ["result_too_large", ""]
