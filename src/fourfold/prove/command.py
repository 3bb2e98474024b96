"""A call that a check has made, as the line that makes it again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from fourfold.model.proof import SentCall
from fourfold.prove.desk import SECOND

__all__ = ["as_command"]


def as_command(call: SentCall, *, target: str | Sequence[str]) -> str:
    """The `fourfold call` line; `target` is a catalog, a URL, or the words of a command."""
    words = [call.tool, _visible(json.dumps(call.arguments, ensure_ascii=False))]
    line = [target, *words] if isinstance(target, str) else [*words, "--", *target]
    remarks = [f"as the {call.caller} caller"] if call.caller == SECOND else []
    comment = ", ".join([*remarks, *([call.beside] if call.beside else [])])
    return f"fourfold call {shlex.join(line)}{f'  # {comment}' if comment else ''}"


def _visible(text: str) -> str:
    """JSON that means the same, with what a terminal would obey or not show as escapes."""
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
