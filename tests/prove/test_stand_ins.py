"""What stands in a recording in the place of credentials and addresses."""

from __future__ import annotations

import pytest

from fourfold.prove.stand_ins import StandIns

SAID = [
    {"email": "ana.ferrer@clinic.es", "note": "ask bo@clinic.es"},
    {"to": ["bo@clinic.es"], "Authorization": "hunter2", "n": 1, "page_token": "next"},
]
CLEAN = [
    {"email": "redacted-1@example.invalid", "note": "ask redacted-2@example.invalid"},
    {"to": ["redacted-2@example.invalid"], "Authorization": "[redacted-3]", "n": 1, "page_token": "next"},
]


def test_the_same_text_has_the_same_stand_in_wherever_it_comes() -> None:
    """B18: in the order in which they come; an address stays the form of one."""
    stand_ins = StandIns()

    assert [stand_ins.clean(each) for each in SAID] == CLEAN


def test_what_is_clean_stays_as_it_is_and_its_numbers_are_taken() -> None:
    """B12: a replay reads stand-ins, and gives to what is new the number that it had in the recording."""
    stand_ins = StandIns()

    assert [stand_ins.clean(each) for each in CLEAN] == CLEAN
    assert stand_ins.clean("cy@clinic.es") == "redacted-4@example.invalid"


@pytest.mark.parametrize("text", ["someone@example.org", "a@mail.example.com", "x@y.invalid", "no address", ""])
def test_what_is_nobodys_is_left(text: str) -> None:
    """B12: samples of the generators are full of it."""
    assert StandIns().clean(text) == text


@pytest.mark.parametrize("text", ["x@example.org.evil.es", "Bearer abcdef0123456789", "https://a:b@example.org/x"])
def test_what_may_be_somebodys_is_not(text: str) -> None:
    """B18: a domain that only begins like an example, a token, a password in a URL."""
    assert "redacted-1" in str(StandIns().clean(text))
