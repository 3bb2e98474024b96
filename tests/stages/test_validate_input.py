"""The validate_input stage: every problem with its place, before anything else happens."""

from __future__ import annotations

import math

import pytest

from fourfold import Create
from fourfold.model.call import Call
from fourfold.model.fault import Problem
from fourfold.testing import Answer, Kit, caller, open_kit
from tests.stages.desk import ACCOUNT, desk, one_tool, said
from tests.stages.serving import serving

KEY = "a-key-of-16-signs"
HI = {"account_id": ACCOUNT, "text": "hi"}


def places(answer: Answer) -> list[tuple[str, str]]:
    """Where what was wrong."""
    return [(problem.pointer, problem.code) for problem in answer.problems]


def test_every_problem_is_listed_before_any_effect(kit: Kit) -> None:
    """A2, A4: one answer has all of them, and nothing was written."""
    answer = kit.call("note_add", {"account_id": "acct-x", "copies": 0, "colour": "red"})

    assert (answer.kind, answer.code) == ("invalid", "invalid_arguments")
    assert sorted(places(answer)) == [
        ("/account_id", "pattern_mismatch"),
        ("/colour", "unknown_argument"),
        ("/copies", "out_of_bounds"),
        ("/text", "missing_argument"),
    ]
    assert kit.writes == 0


def test_no_rejected_value_is_said_again(kit: Kit) -> None:
    """A2: not in the answer and not in the run."""
    answer = kit.call("note_add", {"account_id": "sk-live-canary", "text": ["canary"], "copies": "canary"})

    assert "canary" not in repr(answer.outcome)
    assert "canary" not in repr(kit.runs())


def test_the_problems_of_the_reader_come_with_those_of_the_contract(kit: Kit) -> None:
    """A2: each place once, although what the reader took out is missing afterwards."""
    answer = kit.call("note_add", {"account_id": ACCOUNT, "text": math.nan, "copies": 2**60, "colour": 1})

    assert places(answer) == [
        ("/text", "not_finite"),
        ("/copies", "unsafe_integer"),
        ("/colour", "unknown_argument"),
    ]


@pytest.mark.anyio
async def test_a_problem_of_the_reader_alone_stops_the_call() -> None:
    """A2: a duplicate name is refused though the rest conforms."""
    twice = Problem(pointer="/text", code="duplicate_key", expected="each name once in an object")
    async with serving(desk()) as served:
        call = Call(tool="note_add", arguments=HI, caller=caller(), wire_problems=(twice,))
        answer = Answer(await served.service.call(call))

        assert answer.problems == (twice,)
        assert (await served.call("note_count")).structured == {"text": "0"}


def test_a_repair_is_recorded(kit: Kit) -> None:
    """A2, A9: null for an argument that may be left out is no problem, and the run says so."""
    assert kit.call("note_add", {**HI, "copies": None}).ok
    assert kit.runs()[0].note == "null as absent at /copies"


def test_no_arguments_are_an_empty_object(kit: Kit) -> None:
    """A2: a tool without arguments needs none."""
    assert kit.call("note_count").ok


@pytest.mark.parametrize(
    ("argument", "meta", "problem"),
    [
        (KEY, None, None),
        (None, KEY, None),
        (KEY, KEY, None),
        (KEY, KEY + "2", "conflicting_arguments"),
        (None, "k" * 15, "out_of_bounds"),
        (None, "k" * 16, None),
        (None, "k" * 128, None),
        (None, "k" * 129, "out_of_bounds"),
        ("k" * 15, None, "out_of_bounds"),
        ("k" * 129, None, "out_of_bounds"),
    ],
)
def test_a_key_comes_in_one_place_or_the_same_in_both(
    kit: Kit, argument: str | None, meta: str | None, problem: str | None
) -> None:
    """D1: 16 to 128 characters, in the argument or in `_meta`."""
    arguments = HI if argument is None else {**HI, "idempotency_key": argument}
    answer = kit.call("note_add", arguments, key=meta)

    assert places(answer) == ([] if problem is None else [("/idempotency_key", problem)])
    assert kit.writes == (1 if problem is None else 0)


def test_a_key_is_the_same_wherever_it_comes() -> None:
    """D1: a client that moves it from the argument to `_meta` still repeats the same operation."""
    with open_kit(desk()) as kit:
        first = kit.call("note_add", {**HI, "idempotency_key": KEY})
        again = kit.call("note_add", HI, key=KEY)

        assert again.replayed
        assert again.operation_id == first.operation_id


def test_a_read_ignores_a_key_in_meta(kit: Kit) -> None:
    """D1: clients may send one with every call; a read takes no notice, however long it is."""
    assert kit.call("word_say", {"word": "x"}, key="short").ok


def test_a_read_has_no_key_argument(kit: Kit) -> None:
    """B2: what a tool does not take is unknown to it."""
    answer = kit.call("word_say", {"word": "x", "idempotency_key": KEY})

    assert places(answer) == [("/idempotency_key", "unknown_argument")]


def test_the_handler_never_sees_framework_arguments() -> None:
    """B2: its input model is closed, and the key is taken out before it is made."""
    with open_kit(one_tool(said, Create())) as kit:
        assert kit.call("note_add", {"word": "x", "idempotency_key": KEY}).structured == {"text": "x"}
