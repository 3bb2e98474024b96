"""Tokenizer profiles: how many tokens a text has, counted offline. Owns the counting, not what is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from fourfold.errors import ConfigError

__all__ = ["ESTIMATE", "PROFILES", "Profile", "default_profile", "profile_named"]

_CHARACTERS_PER_TOKEN = 4

_VOCABULARIES = {
    "o200k": ("o200k_base", "OpenAI GPT-4o and later, gpt-oss"),
    "cl100k": ("cl100k_base", "OpenAI GPT-4 and GPT-3.5"),
    "llama3": ("llama3", "Meta Llama 3"),
    "qwen3": ("qwen3", "Qwen 3"),
    "deepseek": ("deepseek_v3", "DeepSeek V3 and R1"),
}
"""Vocabularies that are published, by profile; what Claude and Gemini use is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A way to count tokens.

    Attributes:
        about: whose vocabulary it is, or how far the estimate is off.
        is_estimate: whether it counts no vocabulary at all.
    """

    name: str
    about: str
    is_estimate: bool
    count: Callable[[str], int]


def _by_characters(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


ESTIMATE = Profile(
    name="characters",
    about="an estimate, characters / 4: of 61 published catalogs as JSON 10 % more than o200k, 0 to 28 % by catalog",
    is_estimate=True,
    count=_by_characters,
)
"""Needs nothing installed and is the same everywhere, so the rules of the review use it. Measured in docs/budget.md."""

PROFILES = ("characters", *_VOCABULARIES)
"""The names of all profiles."""


def default_profile() -> Profile:
    """`o200k` if its vocabulary is installed, else the estimate."""
    return profile_named("o200k") if find_spec("splintr") is not None else ESTIMATE


def profile_named(name: str) -> Profile:
    """The profile of that name.

    Raises:
        ConfigError: there is none, or its vocabulary is not installed.
    """
    if name == ESTIMATE.name:
        return ESTIMATE
    if name not in _VOCABULARIES:
        raise ConfigError(f"no profile is called {name!r}; there are {', '.join(PROFILES)}")
    vocabulary, about = _VOCABULARIES[name]
    return Profile(name=name, about=f"the vocabulary of {about}", is_estimate=False, count=_by_vocabulary(vocabulary))


def _by_vocabulary(vocabulary: str) -> Callable[[str], int]:
    try:
        from splintr import Tokenizer
    except ImportError:
        raise ConfigError(
            "this profile needs its vocabulary: install 'fourfold[budget]', or use --profile characters"
        ) from None
    tokenizer = Tokenizer.from_pretrained(vocabulary)

    def count(text: str) -> int:
        # Ordinary: a description that spells out a control token is text to every API. A lone surrogate, which
        # a catalog in Python may hold, is sent by no client as it is.
        return len(tokenizer.encode_ordinary(text.encode("utf-8", "replace").decode("utf-8")))

    return count
