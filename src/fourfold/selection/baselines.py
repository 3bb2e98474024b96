"""Choosers without a model: what a suite is too easy for, or too hard, is seen by what they make of it.

They choose a tool, and no arguments: a baseline's call has none, and its scores are about tools alone. They call one
tool or none, and never ask.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul

from fourfold.contracts.names import words
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Sampling
from fourfold.model.contract import JsonObject
from fourfold.ports.embedder import Embedder
from fourfold.selection.wire.values import object_of, objects_of, text_of

__all__ = ["Bm25Chooser", "EmbeddingChooser", "last_user_text"]

_K1 = 1.5
_B = 0.75
"""How fast a repeated word stops counting, and how much a long description is held against it (Robertson, 1994)."""


def last_user_text(messages: Sequence[JsonObject]) -> str:
    """What the user has said last; empty if nothing was said."""
    contents = (each.get("content") for each in reversed(messages) if each.get("role") == "user")
    content: object = next(contents, "")
    return content if isinstance(content, str) else "\n".join(text_of(part.get("text")) for part in objects_of(content))


@dataclass(frozen=True, slots=True)
class _Ranker:
    """The words of some tools, counted once."""

    counts: tuple[Counter[str], ...]
    rarity: Mapping[str, float]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, tools: Sequence[OfferedTool]) -> _Ranker:
        counts = tuple(Counter(_stems(_told(tool))) for tool in tools)
        lengths = [count.total() for count in counts]
        mean = sum(lengths) / len(lengths) or 1.0
        holding = Counter(word for count in counts for word in count)
        rarity = {word: math.log(1 + (len(tools) - n + 0.5) / (n + 0.5)) for word, n in holding.items()}
        return cls(counts, rarity, tuple(_K1 * (1 - _B + _B * length / mean) for length in lengths))

    def scores(self, text: str) -> list[float]:
        """How well each tool fits `text`; 0 where they share no word."""
        wanted = [word for word in dict.fromkeys(_stems(text)) if word in self.rarity]
        return [
            sum(self.rarity[word] * count[word] * (_K1 + 1) / (count[word] + weight) for word in wanted)
            for count, weight in zip(self.counts, self.weights, strict=True)
        ]


@dataclass(slots=True, kw_only=True)
class Bm25Chooser:
    """A `Chooser` that counts words: Okapi BM25 over name, description and arguments.

    Attributes:
        threshold: a best score up to this calls nothing; at 0 only if no word is shared. Scores grow with the number
            of tools and words, so that a threshold holds for one catalog.
    """

    threshold: float = 0.0
    name: str = "bm25"
    _known: tuple[Sequence[OfferedTool], _Ranker] | None = field(default=None, init=False)

    async def choose(
        self,
        messages: Sequence[JsonObject],
        tools: Sequence[OfferedTool],
        *,
        sampling: Sampling,  # noqa: ARG002  # there is nothing to sample
        sample: int = 0,  # noqa: ARG002
    ) -> Choice:
        """The tool whose words fit best; of equal ones the first."""
        if not tools:
            return Choice(model=self.name)
        return _best(self._ranker(tools).scores(last_user_text(messages)), tools, self.threshold, model=self.name)

    def _ranker(self, tools: Sequence[OfferedTool]) -> _Ranker:
        """Counted anew only for other tools than those of the call before."""
        # The same object, since comparing the tools would take as long as counting their words.
        if self._known is None or self._known[0] is not tools:
            self._known = (tools, _Ranker.of(tools))
        return self._known[1]


@dataclass(slots=True, kw_only=True)
class EmbeddingChooser:
    """A `Chooser` that compares meanings: the cosine of what the user said last and `name: description`.

    Attributes:
        threshold: a best cosine up to this calls nothing.
    """

    embedder: Embedder
    threshold: float = 0.0
    _known: dict[str, Sequence[float]] = field(default_factory=dict[str, "Sequence[float]"], init=False)

    @property
    def name(self) -> str:
        """The model, as `embed:MODEL`."""
        return f"embed:{self.embedder.name}"

    async def choose(
        self,
        messages: Sequence[JsonObject],
        tools: Sequence[OfferedTool],
        *,
        sampling: Sampling,  # noqa: ARG002  # there is nothing to sample
        sample: int = 0,  # noqa: ARG002
    ) -> Choice:
        """The tool whose meaning is nearest; of equal ones the first."""
        if not tools:
            return Choice(model=self.name)
        said = self._vector(last_user_text(messages))
        scores = [_cosine(said, self._vector(f"{tool.name}: {tool.description}")) for tool in tools]
        return _best(scores, tools, self.threshold, model=self.name)

    def _vector(self, text: str) -> Sequence[float]:
        """Read once: the same tools stand beside every case."""
        if text not in self._known:
            self._known[text] = self.embedder.embed([text])[0]
        return self._known[text]


def _best(scores: Sequence[float], tools: Sequence[OfferedTool], threshold: float, *, model: str) -> Choice:
    best = max(range(len(tools)), key=scores.__getitem__)
    if scores[best] <= threshold:
        return Choice(model=model)
    return Choice(calls=(ChosenCall(name=tools[best].name, arguments={}),), model=model)


def _told(tool: OfferedTool) -> str:
    # A model reads the descriptions of arguments as well; without them BM25 solves 1 to 2 % less of BFCL.
    arguments = object_of(tool.input_schema.get("properties"))
    said = (text_of(object_of(schema).get("description")) for schema in arguments.values())
    return " ".join([tool.name, tool.description, *arguments, *said])


_WORD = re.compile(r"\w+")


def _stems(text: str) -> list[str]:
    """Words in lower case, split where names are (`getInvoice`), without the `s` of a plural."""
    found = (word for each in _WORD.findall(text) for word in (words(each) or (each.lower(),)))
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in found]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Of two vectors of length 1."""
    return sum(map(mul, one, other))
