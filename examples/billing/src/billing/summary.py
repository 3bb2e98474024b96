"""Extractive summaries in plain functions: whole sentences of a text, chosen by how much of the whole they say.

No model, no float, no chance: the same messages give the same summary on every machine. What a sentence says is
not understood and never acted on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Literal

__all__ = ["Format", "count_words", "summarize"]

Format = Literal["bullets", "prose"]

_BREAK = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
"""A word, or one character of a script that is written without spaces."""

_COMMON = frozenset({
    "about", "after", "also", "been", "before", "could", "does", "from", "have", "hear", "hello", "here", "into",
    "just", "know", "like", "more", "much", "need", "only", "over", "please", "regards", "some", "sorry", "telling",
    "than", "thank", "thanks", "that", "their", "them", "then", "there", "these", "they", "this", "those", "very",
    "want", "were", "what", "when", "where", "which", "will", "with", "would", "your",
})  # fmt: skip
"""Words of letters that carry no meaning of their own, beside all that are shorter than four."""

_LEAST_LENGTH = 8
"""Words that a sentence counts as having at least: otherwise "Agreed." outweighs what was agreed."""

_UNSEEN = re.compile(
    r"[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Control characters, and those that turn or hide text (Unicode Cc and Cf but for the joiners of scripts and emoji)."""

_SHORTEST = 3
"""Words of a sentence that is worth being quoted, if one of them carries meaning, or if there are no others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence; `place` is its index among all, `terms` are its words that carry meaning, or all if none does."""

    text: str
    place: int
    terms: frozenset[str]
    words: int
    spaced: int
    worth_quoting: bool

    def gain(self, weights: Counter[str], said: set[str]) -> Fraction:
        """How much of the whole it says that is not said yet, for its length."""
        return Fraction(sum(weights[term] for term in self.terms - said), max(self.words, _LEAST_LENGTH))


def summarize(messages: Sequence[str], *, max_words: int, form: Format) -> str:
    """The sentences of `messages` that say most, in their order, within `max_words`; "" if they say nothing.

    A sentence that says only what is said already is left out. If not even one fits, the best is cut, and ends in "…".
    """
    found = list(_sentences(messages))
    sentences = [sentence for sentence in found if sentence.worth_quoting] or found
    if not sentences:
        return ""
    chosen = _chosen(sentences, max_words=max_words, marked=form == "bullets")
    if chosen:
        return _rendered([sentence.text for sentence in sorted(chosen, key=lambda each: each.place)], form)
    weights = _weights(sentences)
    best = max(sentences, key=lambda each: (each.gain(weights, set()), -each.place))
    return _cut(best.text, max_words=max_words, form=form)


def count_words(text: str) -> int:
    """Words of `text`, by spaces or by letters, whichever are more: nobody who counts finds more than this."""
    return max(len(text.split()), len(_WORD.findall(text)))


def _weights(sentences: Sequence[_Sentence]) -> Counter[str]:
    return Counter(term for sentence in sentences for term in sentence.terms)


def _chosen(sentences: Sequence[_Sentence], *, max_words: int, marked: bool) -> list[_Sentence]:
    """The sentence that adds most, again and again, of those that still fit; the earlier of two that add the same."""
    weights = _weights(sentences)
    said: set[str] = set()
    chosen: list[_Sentence] = []
    words = spaced = 0
    # What a sentence adds only falls, so one that is still on top when it is looked at again is the best of all.
    queue = [(-sentence.gain(weights, said), sentence.place, sentence) for sentence in sentences]
    heapify(queue)
    while queue:
        known, place, sentence = heappop(queue)
        if max(words + sentence.words, spaced + sentence.spaced + marked) > max_words:
            continue
        current = -sentence.gain(weights, said)
        if current != known:
            heappush(queue, (current, place, sentence))
        elif current:
            chosen.append(sentence)
            said |= sentence.terms
            words, spaced = words + sentence.words, spaced + sentence.spaced + marked
    return chosen


def _sentences(messages: Sequence[str]) -> Iterator[_Sentence]:
    """The sentences of all messages, each once; lines that quote an earlier message are left out."""
    seen: set[str] = set()
    for message in messages:
        own = "\n".join(line for line in message.splitlines() if not line.lstrip().startswith(">"))
        for part in _BREAK.split(own):
            text = _plain(part)
            words = _WORD.findall(text.casefold())
            if not words or text in seen:
                continue
            terms = frozenset(filter(_counts, words))
            yield _Sentence(
                text=text,
                place=len(seen),
                terms=terms or frozenset(words),
                words=len(words),
                spaced=len(text.split()),
                worth_quoting=bool(terms) and len(words) >= _SHORTEST,
            )
            seen.add(text)


def _plain(text: str) -> str:
    """`text` on one line, without control and direction characters, and without a bullet of its own."""
    return " ".join(_UNSEEN.sub(" ", text).split()).lstrip("-*• ")


def _counts(word: str) -> bool:
    """Whether a word carries meaning, as far as its form tells."""
    return (len(word) > 3 or not word.isascii() or word.isdigit()) and word not in _COMMON


def _rendered(sentences: Sequence[str], form: Format) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences) if form == "bullets" else " ".join(sentences)


def _cut(sentence: str, *, max_words: int, form: Format) -> str:
    """As much of the beginning of `sentence` as fits."""
    low, high = 0, len(sentence)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count_words(_rendered([f"{sentence[:middle]}…"], form)) <= max_words
        low, high = (middle, high) if fits else (low, middle - 1)
    end = sentence[:low]
    # Not in the middle of a word, unless there is nothing before it.
    whole = end[: end.rfind(" ")] if " " in end and low < len(sentence) and sentence[low] != " " else end
    return _rendered([f"{whole.rstrip()}…"], form)
