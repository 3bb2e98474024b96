"""`ApiKey`: a provider's key, which shows itself to nobody but the request that carries it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fourfold.errors import ConfigError
from fourfold.model.redact import redact

__all__ = ["ApiKey"]

_SAID = 300
"""Characters of a provider's message that are kept."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ApiKey:
    """A key; printing, logging or formatting it shows none of it, and it cannot be pickled."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    @classmethod
    def from_variable(cls, name: str, environment: Mapping[str, str]) -> ApiKey:
        """The key in an environment variable; an empty one where no variable is named.

        Raises:
            ConfigError: the name is none, or the variable is not set. What might be a key itself is not repeated.
        """
        if not name:
            return cls("")
        if not _NAME.fullmatch(name):
            raise ConfigError("a key is named by its environment variable, such as OPENAI_API_KEY, and never given")
        if not environment.get(name):
            raise ConfigError(f"the environment variable {name} is not set; put the provider's key there")
        text = environment[name].strip()
        if not (text.isascii() and text.isprintable()) or " " in text:
            raise ConfigError(f"the environment variable {name} holds something that no header can carry")
        return cls(text)

    def reveal(self) -> str:
        """The key, for a header."""
        return self._text

    def hidden_in(self, said: str) -> str:
        """What a provider says, without the key, which some quote when they refuse it; and no more than is read."""
        return redact(said.replace(self._text, "[redacted]") if self._text else said)[:_SAID]

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self._text)

    def __repr__(self) -> str:
        return "ApiKey(...)"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a key is not pickled")
