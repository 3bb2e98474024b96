"""The note of a run: kept for the operator, without what nobody should read there."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, SecretStr

from fourfold import Create, Input, Personal, Secret
from fourfold.effects import Impact, PlanTerms
from fourfold.testing import Kit, open_kit
from tests.stages.desk import Said, SaidOnce, one_tool

MASK = "[redacted]"


class Door(Input):
    """Secrets at every depth."""

    code: Annotated[str, Field(max_length=50), Secret()] = ""
    number: Annotated[int, Field(ge=0, le=9_999), Secret()] = 0
    floors: Annotated[list[Floor], Field(max_length=3)] = Field(default_factory=list["Floor"])


class Floor(Input):
    """One floor of the house."""

    code: Annotated[str, Field(max_length=60), Secret()]


def telling(request: Door) -> Said:
    """Says everything, in an error."""
    raise RuntimeError(f"door {request.code} {request.code!r} {request.model_dump_json()} {request.number}")


def note_of(kit: Kit, arguments: dict[str, Any]) -> str:
    """The note that a call with these arguments leaves."""
    assert kit.call("note_add", arguments).code == "internal"
    return kit.runs()[0].note


@settings(deadline=None, max_examples=50)
@given(
    code=st.text(
        alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\0"),
        min_size=6,
        max_size=50,
    )
)
def test_an_exception_cannot_write_a_secret_argument_into_its_run(code: str) -> None:
    """B3, B16: as it is, as Python shows it, and as JSON has it."""
    with open_kit(one_tool(telling)) as kit:
        assert code not in note_of(kit, {"code": code, "floors": [{"code": f"{code}-2"}]}).replace(MASK, "")


def test_secrets_are_masked_at_every_depth() -> None:
    """B3: numbers and items of lists, the longer of two first."""
    arguments = {"code": "open-sesame", "number": 4711, "floors": [{"code": "open-sesame-2"}, {"code": "cellar"}]}
    with open_kit(one_tool(telling)) as kit:
        note = note_of(kit, arguments)

    assert not [word for word in ("sesame", "4711", "-2", "cellar") if word in note]
    assert f"door {MASK} '{MASK}'" in note


def test_an_empty_secret_masks_nothing() -> None:
    """B3: the note stays readable."""
    with open_kit(one_tool(telling)) as kit:
        assert "RuntimeError: door  ''" in note_of(kit, {"code": ""})


class Text(Input):
    """What an exception will say."""

    text: Annotated[str, Field(max_length=100_000)]


def saying(request: Text) -> Said:
    """Says it, in an error."""
    raise RuntimeError(request.text)


@pytest.mark.parametrize(
    "secret",
    [
        "Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1MSJ9.c2ln",
        "https://api.example.com/me?access_token=abc123",
        "{'apiKey': 'AK-1', 'Cookie': 'sid=1'}",
        "Cookie: sid=1; theme=abc123",
        "[('X-Api-Key', 'AK-2'), (b'authorization', b'abc123')]",
        "-----BEGIN PRIVATE KEY-----\nMIIabc123",
        "postgresql://svc:abc123@db.internal:5432/prod",
        "postgresql://svc:half@abc123@db/prod",
        'password = "abc123"',
        "sk-abc123abc123abc123",
    ],
)
def test_what_looks_like_a_credential_is_masked(secret: str) -> None:
    """B16, MP-061: by default, and without a prefix left over."""
    with open_kit(one_tool(saying)) as kit:
        note = note_of(kit, {"text": f"upstream said {secret}"})

    assert not [word for word in ("eyJhbGci", "abc123", "AK-", "sid=1", "MII", "PRIVATE") if word in note]
    assert MASK in note


@pytest.mark.parametrize("word", ["x", "token", "a.b+", "eyJaaaaaa-", "a://", "secret'"])
def test_a_note_of_one_endless_word_is_stored(word: str) -> None:
    """A9, B19: an exception may quote what a caller sent; masking takes time that grows with the length only."""
    with open_kit(one_tool(saying)) as kit:
        assert len(note_of(kit, {"text": word * (60_000 // len(word))})) <= 8_000


def test_the_exceptions_own_text_survives_a_deep_traceback() -> None:
    """A9: the innermost frames are kept, and so the end, where the reason stands."""

    def deep(request: SaidOnce) -> Said:
        return sink(300)

    with open_kit(one_tool(deep)) as kit:
        assert note_of(kit, {}).rstrip().endswith("ValueError: the bottom")


def sink(depth: int) -> Said:
    """Down to an error, over two functions so that no line repeats."""
    return swim(depth - 1) if depth else bottom()


def swim(depth: int) -> Said:
    """And further down."""
    return sink(depth - 1) if depth > 0 else bottom()


def bottom() -> Said:
    """Where the reason stands."""
    raise ValueError("the bottom")


class Guest(Input):
    """Somebody, and when they were born."""

    name: Annotated[str, Field(max_length=50), Personal()]
    born: Annotated[date, Personal()] = date(1999, 9, 9)
    pin: Annotated[SecretStr, Field(max_length=20)] = SecretStr("")


def greeting(request: Guest) -> Said:
    """Says everything, in an error."""
    raise RuntimeError(f"{request!r} {request.model_dump_json()} {request.born} {request.pin.get_secret_value()}")


def test_an_exception_cannot_write_personal_data_into_its_run() -> None:
    """B3, B16, D7: as it came, and as Python shows what the handler had."""
    with open_kit(one_tool(greeting)) as kit:
        note = note_of(kit, {"name": "Ada L.", "born": "1980-05-04", "pin": "4711-a"})

    assert not [word for word in ("Ada", "1980", "(1980, 5, 4)", "4711") if word in note]
    assert note.count(MASK) >= 6


def test_what_a_plan_holds_is_masked_when_it_is_executed() -> None:
    """B3, B16, D7: its arguments come from the store then, and not with the call."""
    effect = Create(plan=PlanTerms(impact=lambda: Impact(summary="greets"), approval="none"))
    with open_kit(one_tool(greeting, effect)) as kit:
        plan = kit.call("note_add_plan", {"name": "Ada L."}).structured
        terms = {"plan_id": plan["plan_id"], "digest": plan["digest"]}
        assert kit.call("note_add_execute", terms).code == "internal"
        note = kit.runs()[0].note

    assert "Ada" not in note
    assert MASK in note
