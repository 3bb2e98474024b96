"""Token profiles: what they count, and that they need no network."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from fourfold.budget.tokens import ESTIMATE, PROFILES, default_profile, profile_named
from fourfold.errors import ConfigError

_WITHOUT = """
import sys
sys.modules["splintr"] = None
from fourfold.budget.tokens import default_profile, profile_named
from fourfold.errors import ConfigError
print(default_profile().name)
try:
    profile_named("o200k")
except ConfigError as error:
    print(error)
"""
_OFFLINE = "from fourfold.budget.tokens import profile_named; print(profile_named('o200k').count('tiktoken is great!'))"


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("é" * 8, 2)])
def test_the_estimate_counts_characters_and_rounds_up(text: str, tokens: int) -> None:
    """A10: a quarter of the characters; nothing costs nothing."""
    assert ESTIMATE.count(text) == tokens


@pytest.mark.parametrize(
    ("profile", "text", "tokens"),
    [
        ("cl100k", "tiktoken is great!", 6),
        ("cl100k", "antidisestablishmentarianism", 6),
        ("cl100k", "2 + 2 = 4", 7),
        ("o200k", "antidisestablishmentarianism", 6),
        ("o200k", "2 + 2 = 4", 7),
    ],
)
def test_a_vocabulary_counts_as_its_publisher_says(profile: str, text: str, tokens: int) -> None:
    """A10: the numbers are those of OpenAI's own tokenizer, from its guide on counting tokens."""
    assert profile_named(profile).count(text) == tokens


def test_a_control_token_in_a_description_is_text() -> None:
    """A10: the API sends it as text, so that it costs what its letters cost."""
    assert profile_named("o200k").count("<|endoftext|>") > 1


def test_half_of_a_surrogate_pair_is_counted_and_no_error() -> None:
    """A catalog in Python may hold what no client can send."""
    assert profile_named("o200k").count("a\ud800b") == profile_named("o200k").count("a?b")


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_says_what_it_counts(name: str) -> None:
    """A10: the report names the tokenizer, and an estimate is called one."""
    profile = profile_named(name)

    assert profile.count("Create a quote.") > 0
    assert profile.is_estimate == (name == "characters")
    assert ("estimate" in profile.about) == profile.is_estimate


def test_the_vocabulary_is_the_default_where_it_is_installed() -> None:
    """A10: the extra is in the development environment."""
    assert default_profile().name == "o200k"


def test_without_the_extra_the_estimate_is_the_default_and_a_vocabulary_says_what_to_install() -> None:
    """A10: everybody gets a number, and it is called what it is."""
    done = subprocess.run([sys.executable, "-c", _WITHOUT], capture_output=True, text=True, check=True)

    assert done.stdout == (
        "characters\nthis profile needs its vocabulary: install 'fourfold[budget]', or use --profile characters\n"
    )


def test_an_unknown_profile_names_those_that_there_are() -> None:
    """The fix is in the message."""
    with pytest.raises(ConfigError, match="no profile is called 'gpt2'; there are characters, o200k"):
        profile_named("gpt2")


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs a way to run without a network")
def test_a_vocabulary_is_counted_without_a_network() -> None:
    """A10: nothing is downloaded, neither at the first use nor later."""
    done = subprocess.run(
        ["unshare", "-rn", sys.executable, "-c", _OFFLINE], capture_output=True, text=True, check=False
    )
    if "Operation not permitted" in done.stderr:
        pytest.skip("this machine lets nobody take the network away")

    assert (done.stdout, done.stderr) == ("6\n", "")
