"""Takes secrets and e-mail addresses out of one conversation, so that it reads on as it did.

The same address gets the same stand-in, which is an address too: an argument of that format stays one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from fourfold.model.redact import holds_credential, replaced

__all__ = ["MASK", "Redaction"]

MASK = "[redacted]"
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")


@dataclass(slots=True)
class Redaction:
    """What stands for what in one conversation."""

    addresses: dict[str, str] = field(default_factory=dict[str, str])

    def text(self, text: str) -> str:
        """`text` without credentials and addresses."""
        return replaced(text, self._stand_in) if text else ""

    def value(self, value: object) -> object:
        """A JSON value, redacted in each of its texts, and in what stands under a name such as `token`."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            members = cast("Mapping[str, object]", value)
            return {self.text(key): self.member(key, each) for key, each in members.items()}
        if isinstance(value, list | tuple):
            return [self.value(each) for each in cast("list[object]", value)]
        return value

    def member(self, name: str, value: object) -> object:
        """The value that stands under a name."""
        clean = self.value(value)
        if isinstance(clean, Mapping | list):
            return cast("object", clean)
        return MASK if holds_credential(json.dumps({name: clean}, ensure_ascii=False)) else clean

    def _stand_in(self, found: str) -> str:
        if not _ADDRESS.fullmatch(found):
            return MASK
        return self.addresses.setdefault(found.lower(), f"person{len(self.addresses) + 1}@example.com")
