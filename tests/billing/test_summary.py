"""Summaries as a function: what is chosen, what holds, and what never happens."""

from __future__ import annotations

from typing import cast

import pytest
from billing.summary import Format, count_words, summarize
from hypothesis import given
from hypothesis import strategies as st

THREAD = [
    "Hello. The pump arrived broken. We need a new pump before Friday.",
    "> The pump arrived broken.\nSorry to hear that! We send a new pump tomorrow.",
    "Thanks. Does the new pump need the old fitting?",
]


def test_the_sentences_that_say_most_are_chosen_in_their_order() -> None:
    """A12: by the words that the thread repeats, and not by where they stand."""
    assert summarize(THREAD, max_words=12, form="prose") == "The pump arrived broken. We send a new pump tomorrow."
    assert (
        summarize(THREAD, max_words=14, form="bullets") == "- The pump arrived broken.\n- We send a new pump tomorrow."
    )


def test_everything_is_told_once_if_there_is_room() -> None:
    """A12: without the line that quotes, the greeting, the regret and the thanks."""
    assert summarize(THREAD, max_words=300, form="bullets").splitlines() == [
        "- The pump arrived broken.",
        "- We need a new pump before Friday.",
        "- We send a new pump tomorrow.",
        "- Does the new pump need the old fitting?",
    ]


def test_a_sentence_that_adds_nothing_is_left_out() -> None:
    """A12: the same words again are not more."""
    messages = ["The pump is broken.", "the pump is BROKEN", "The broken pump is the pump.", "The valve leaks too."]

    assert summarize(messages, max_words=50, form="prose") == "The pump is broken. The valve leaks too."


@pytest.mark.parametrize("messages", [[], [""], ["  \n "], ["> quoted only"], ["...", "?!", "\u200b\u202e"]])
def test_a_thread_that_says_nothing_has_an_empty_summary(messages: list[str]) -> None:
    """A12: nothing is made up."""
    assert summarize(messages, max_words=10, form="prose") == ""
    assert summarize(messages, max_words=10, form="bullets") == ""


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "one two three four five six seven eight nine ten eleven twelve",
            "one two three four five six seven eight nine ten…",
        ),
        ("发票已经支付了两次请退款谢谢您的帮助", "发票已经支付了两次请…"),
        ("a-b-c-d-e-f-g-h-i-j-k-l", "a-b-c-d-e-f-g-h-i-j-…"),
        ("Only.", "Only."),
    ],
)
def test_a_sentence_that_does_not_fit_is_cut_and_shows_it(message: str, expected: str) -> None:
    """A12: at a space if there is one; in scripts without spaces every character counts."""
    assert summarize([message], max_words=10, form="prose") == expected


def test_scripts_without_spaces_have_sentences_too() -> None:
    """A12: Chinese and Japanese full stops end one."""
    messages = ["发票支付了两次。请退还第二次付款。", "第二次付款已经找到。谢谢。"]

    assert summarize(messages, max_words=20, form="prose") == "发票支付了两次。 请退还第二次付款。"


def test_characters_that_hide_or_turn_text_are_taken_out() -> None:
    """A12: a summary reads as it is; joiners of emoji and scripts stay."""
    message = "The pay\u00adment\u202e was\u200b made\x07 today by 👩\u200d🔧 now."

    assert summarize([message], max_words=20, form="prose") == "The pay ment was made today by 👩\u200d🔧 now."


def test_bullets_are_one_line_each() -> None:
    """A12: whatever line breaks a message has, it cannot add a bullet of its own."""
    message = "First point here\r\n- second point here\u2028- third point here\v* fourth point here"
    lines = summarize([message], max_words=50, form="bullets").splitlines()

    assert lines == [
        f"- {line}" for line in ("First point here", "second point here", "third point here", "fourth point here")
    ]


@given(
    messages=st.lists(
        st.text(max_size=200)
        | st.lists(st.sampled_from(["pump", "valve", "a", "。", ". ", "的", "> ", "\n"])).map(" ".join),
        max_size=8,
    ),
    max_words=st.integers(10, 300),
    form=st.sampled_from(["bullets", "prose"]),
)
def test_no_text_makes_a_summary_longer_than_asked(messages: list[str], max_words: int, form: str) -> None:
    """A12: by spaces, by words, with the bullets counted; and twice the same."""
    summary = summarize(messages, max_words=max_words, form=cast("Format", form))

    assert count_words(summary) <= max_words
    assert len(summary.split()) <= max_words
    assert summary == summarize(messages, max_words=max_words, form=cast("Format", form))
    assert form == "prose" or all(line.startswith("- ") for line in summary.splitlines())
