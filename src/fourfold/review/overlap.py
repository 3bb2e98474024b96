"""Which tools of a catalog a model may take for each other: lexical similarity, and whether a name tells them apart.

Similarity is the cosine of word weights (term frequency, damped, times inverse document frequency within the catalog)
over the words of name, description and arguments. Alone it would report every `get_x` beside `get_y` of one author,
because such siblings are written alike. So a pair counts only where the *names* don't decide: the same kind of action
on the same thing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import log, sqrt

from fourfold.contracts.names import words
from fourfold.review.view import ToolView

__all__ = [
    "ALIKE",
    "NEARLY_EQUAL",
    "Overlap",
    "Profile",
    "confusable",
    "name_each_other",
    "overlap",
    "profiles",
    "similarity",
]

ALIKE = 0.45
"""The similarity from which two tools whose names mean the same are reported.

Calibrated on 61 public catalogs: of the 62,308 pairs of tools within one of them, 23 are reported under both
thresholds, the least alike at 0.61; each was read, and taken for one that the listing alone does not tell apart.
The pair that a public report names lies at 0.61 in that server, and at 0.53 in the shortest form that was recorded.
"""

NEARLY_EQUAL = 0.9
"""The similarity from which two tools are reported although one name is the other and a word more."""

_FAMILIES = {
    "find": "find search query lookup locate browse explore open show view discover seek",
    "get": "get fetch retrieve read describe load",
    "list": "list enumerate",
    "create": "create add insert new make register append",
    "update": "update edit modify change patch alter amend",
    "delete": "delete remove destroy drop erase purge",
    "send": "send post deliver submit",
    "run": "run execute start launch invoke trigger",
}
"""Verbs that mean nearly the same in the name of a tool, under the first of each kind.

`get` (one that is known by its key), `find` (one or more by what they hold) and `list` are three kinds: models and
authors keep them apart.
"""

_FAMILY = {verb: family for family, verbs in _FAMILIES.items() for verb in verbs.split()}
_BULK = frozenset({"batch", "bulk", "multiple", "many", "multi", "all", "several"})
"""Words by which a name says that its tool takes many where its sibling takes one."""

_FUNCTION = frozenset({"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "tool", "with"})

_TURNS = frozenset({"by", "for", "from", "in", "of"})
"""Words around which a name may be turned round."""

_STOP = frozenset(
    words(
        """
        a an and any api are as at based be before by can default do does each eg either for from given
        has have if in into is it its may more no not of on one only optional or other required return
        returns s so such than that the their then there these this to tool use used user uses using via
        want was when where whether which will with would you your
        """
    )
)
_WORD = re.compile(r"[A-Za-z]{2,}")
_READ = 600
"""Characters of a description that are compared: what tells tools apart stands at its beginning."""

_NAME_WEIGHT = 2.0
_ARGUMENT_WEIGHT = 0.5
_LEAST_WORDS = 3
_PREFIX_SHARE = 0.5
"""A first word that this share of at least four names has in common is the server's own, not a thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Two tools that are alike; `first` is listed before `second`.

    Attributes:
        score: from 0 (no word in common) to 1 (the same words with the same weights).
        shared: the words that make up most of the score, the heaviest first; a verb stands for its whole kind.
    """

    first: ToolView
    second: ToolView
    score: float
    shared: tuple[str, ...]


@dataclass(frozen=True)
class Profile:
    """What of a tool is compared.

    Attributes:
        weights: the weight of each word.
        verb: the verb of its name; empty if it has none of the known kinds.
        thing: the other words of its name, in order, without endings of the plural.
    """

    tool: ToolView
    weights: Mapping[str, float]
    verb: str
    thing: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of its verb."""
        return _FAMILY.get(self.verb, "")

    @cached_property
    def length(self) -> float:
        """The Euclidean length of its weights; 1 where there are none."""
        return sqrt(sum(weight * weight for weight in self.weights.values())) or 1.0

    @cached_property
    def opening(self) -> frozenset[str]:
        """The words of the first sentence of its description."""
        return frozenset(_prose_words(re.split(r"[.!?\n]", self.tool.description.strip(), maxsplit=1)[0]))


def profiles(tools: Sequence[ToolView]) -> tuple[Profile, ...]:
    """What of each tool is compared, with weights that depend on the whole catalog."""
    counts = [_counts(tool) for tool in tools]
    spread = Counter(word for count in counts for word in count)
    size = len(tools)
    rarity = {word: log((1 + size) / (1 + tools_with)) + 1 for word, tools_with in spread.items()}
    common = _common_words(tools)
    return tuple(
        Profile(
            tool=tool,
            weights={word: (1 + log(max(count, 1.0))) * min(count, 1.0) * rarity[word] for word, count in each.items()},
            verb=next((word for word in tool.words if word in _FAMILY), ""),
            thing=_thing(tool, common),
        )
        for tool, each in zip(tools, counts, strict=True)
    )


def similarity(one: Profile, other: Profile) -> float:
    """The cosine of two profiles of one catalog."""
    small, large = sorted((one.weights, other.weights), key=len)
    product = sum(weight * large[word] for word, weight in small.items() if word in large)
    return product / (one.length * other.length)


def confusable(tools: Sequence[ToolView]) -> Iterator[Overlap]:
    """The pairs that a model may take for each other, as listed.

    Left out are pairs of which one description names the other tool, and one beside its bulk form where they say so.
    """
    for one, other in combinations(profiles(tools), 2):
        found = overlap(one, other)
        if found is not None:
            yield found


def overlap(one: Profile, other: Profile) -> Overlap | None:
    """How much two tools of one catalog, the earlier first, are alike; `None` if something tells them apart."""
    threshold = _threshold(one, other)
    if threshold is None or name_each_other(one.tool, other.tool):
        return None
    score = similarity(one, other)
    if score < threshold:
        return None
    return Overlap(first=one.tool, second=other.tool, score=score, shared=_shared(one, other))


def _threshold(one: Profile, other: Profile) -> float | None:
    """How alike two tools must be to be reported; `None` if their names tell them apart."""
    if _is_alias(one, other):
        return 0.0
    if one.kind != other.kind or (not one.kind and one.tool.words[:1] != other.tool.words[:1]):
        return None
    if sorted(one.thing) == sorted(other.thing):
        return None if _differ_in_number(one.tool, other.tool) or _are_converse(one, other) else ALIKE
    if _both_add(one, other):
        return ALIKE
    return NEARLY_EQUAL if _is_within(one, other) else None


def _differ_in_number(one: ToolView, other: ToolView) -> bool:
    """Whether one name is the plural or bulk form of the other. How alike those look is another rule's concern."""
    if bool(_BULK & set(one.words)) != bool(_BULK & set(other.words)):
        return True
    return one.words != other.words and [*map(_singular, one.words)] == [*map(_singular, other.words)]


def _are_converse(one: Profile, other: Profile) -> bool:
    """Whether one is the other turned round, as `plans_for_rule` and `rules_for_plan` are: each says which it takes."""
    return one.thing != other.thing and bool(_TURNS & set(one.tool.words) & set(other.tool.words))


def _is_alias(one: Profile, other: Profile) -> bool:
    """Whether both are described in the same words."""
    text = one.tool.description.strip()
    return len(text.split()) >= _LEAST_WORDS and text == other.tool.description.strip()


def _both_add(one: Profile, other: Profile) -> bool:
    """Whether both make something new, and one what the other adds to without its name saying so.

    `create_records` and `add_facts` ("Add new facts to existing records") are the reported case.
    """
    if one.kind != "create" or one.verb == other.verb or "new" not in one.opening & other.opening:
        return False
    return any(
        set(maker.thing) <= adder.opening and not set(maker.thing) & set(adder.thing)
        for maker, adder in ((one, other), (other, one))
        if maker.thing
    )


def _is_within(one: Profile, other: Profile) -> bool:
    """Whether one name is the other with a word before its noun, and the shorter one says nothing to exclude that."""
    small, large = sorted((one, other), key=lambda profile: len(profile.thing))
    same_noun = bool(small.thing) and small.thing[-1:] == large.thing[-1:]
    return same_noun and set(small.thing) < set(large.thing) and small.opening <= large.opening


def name_each_other(one: ToolView, other: ToolView) -> bool:
    """Whether one description points to the other tool, so that a reader learns which is for what."""
    return _names(one.description, other.name) or _names(other.description, one.name)


def _names(text: str, name: str) -> bool:
    # A name inside a longer identifier is another name.
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None if name else False


def _shared(one: Profile, other: Profile) -> tuple[str, ...]:
    both = one.weights.keys() & other.weights.keys()
    return tuple(sorted(both, key=lambda word: (-one.weights[word] * other.weights[word], word))[:6])


def _counts(tool: ToolView) -> dict[str, float]:
    counts: dict[str, float] = {}
    for weight, each in (
        (_NAME_WEIGHT, tool.words),
        (1.0, _prose_words(tool.description[:_READ])),
        (_ARGUMENT_WEIGHT, _argument_words(tool)),
    ):
        for word in each:
            plain = _FAMILY.get(word, _singular(word))
            counts[plain] = counts.get(plain, 0.0) + weight
    return counts


def _argument_words(tool: ToolView) -> Iterator[str]:
    for place in tool.arguments:
        if len(place.parents) == 1:
            yield from words(place.name)


def _prose_words(text: str) -> list[str]:
    lower = (word.lower() for word in _WORD.findall(text))
    return [_singular(word) for word in lower if word not in _STOP]


def _thing(tool: ToolView, common: frozenset[str]) -> tuple[str, ...]:
    verb = next((word for word in tool.words if word in _FAMILY), None)
    left = [word for word in tool.words if word != verb and word not in common | _FUNCTION | _BULK]
    return tuple(_singular(word) for word in left)


def _common_words(tools: Sequence[ToolView]) -> frozenset[str]:
    """The first words that so many names share that they stand for the server."""
    firsts = Counter(tool.words[0] for tool in tools if len(tool.words) > 1 and tool.words[0] not in _FAMILY)
    return frozenset(word for word, count in firsts.items() if count >= max(4, _PREFIX_SHARE * len(tools)))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
