"""What a caller may do by itself: which tools, with which definitions, to which effect. Servers have no say in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from fourfold.agent.hooks import EFFECT_WORDS, Consent, EffectWord
from fourfold.errors import ConfigError
from fourfold.model.contract import JsonObject
from fourfold.model.lock import CatalogLock

__all__ = ["FREE", "Rules"]

FREE: frozenset[EffectWord] = frozenset({"read", "preview", "observable_read"})
"""Effects for which nobody has to be asked, and whose calls may be repeated at will."""

_NO_CONTRACT: JsonObject = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one loop.

    Attributes:
        allow: names of tools, or patterns such as `invoice_*`. Nothing else is called or shown to the model.
        effects: by name or pattern, what a tool does, for servers whose lock does not know. Where several things are
            said about a tool, the most careful one counts.
        lock: definitions as they were reviewed. A tool that is not in it, or has changed since, is not called.
            Without a lock, a tool may not change between the first list and the call.
        consent: by effect, who is asked before such a call. A read, a preview or an observable read without a hook
            is made; anything else without a hook is not.

    Raises:
        ConfigError: a word for an effect is none, or `allow` is one text.
    """

    allow: Sequence[str]
    effects: Mapping[str, EffectWord] = field(default_factory=dict[str, EffectWord])
    lock: CatalogLock | None = None
    consent: Mapping[EffectWord, Consent] = field(default_factory=dict[EffectWord, Consent])

    def __post_init__(self) -> None:
        # One text would be read letter by letter, and the pattern of a star in it allows everything.
        if isinstance(self.allow, str):
            raise ConfigError('allow is a list of names and patterns, such as ("invoice_*",)')
        for word in (*self.effects.values(), *self.consent):
            if word not in EFFECT_WORDS:
                raise ConfigError(f"{word!r} is no effect; there are {', '.join(EFFECT_WORDS)}")

    def allows(self, tool: str) -> bool:
        """Whether a tool of this name may be called at all."""
        return any(fnmatchcase(tool, pattern) for pattern in self.allow)

    def effect_of(self, tool: str) -> EffectWord:
        """What a tool does, as far as anybody has said whom this loop trusts."""
        said = [word for pattern, word in self.effects.items() if fnmatchcase(tool, pattern)]
        if "effect" in (contract := self._contract(tool)):
            said.append(_word(contract["effect"]))
        return EFFECT_WORDS[max(map(EFFECT_WORDS.index, said))] if said else "unknown"

    def reach_of(self, tool: str) -> str:
        """Where it does it, if the lock says so; otherwise empty."""
        return str(self._contract(tool).get("reach", ""))

    def _contract(self, tool: str) -> JsonObject:
        locked = self.lock.tools if self.lock else ()
        return next((each.contract for each in locked if each.name == tool and each.contract), _NO_CONTRACT)


def _word(value: object) -> EffectWord:
    return value if value in EFFECT_WORDS else "unknown"
