"""Redaction of free text before it is stored: a backstop behind the markers of the contract."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["MAX_NOTE", "holds_credential", "redact", "replaced"]

MAX_NOTE = 8_000
"""Characters of a note that are kept."""

_MASK = "[redacted]"
_NAMES = (
    r"pass(?!enger|age|ing|ion|ive)|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|authorization|cookie"
    r"|credential"
)
_VALUE = r"\[redacted\]|b?'[^']*'|b?\"[^\"]*\"|[^\s,;&'\"})\]]+"
_ASSIGNS = r"(?:['\"]?\s*[=:]|['\"]\s*,)"
_BASE64 = r"\s+(?:[\w.~+/=-]{16}|\w*[0-9=]|\w+(?-i:[A-Z]))"
"""Not every word: basic economy, or a basic question, is no credential."""
# Each pattern that begins with a run of characters looks behind for one more of them: without it, a long word is
# searched once from each of its characters, and an exception that quotes one stops the server for minutes.
_PATTERNS = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL), _MASK),
    (re.compile(r"(?<![\w-])eyJ[\w-]{5,}\.[\w-]*\.?[\w-]*"), _MASK),
    (re.compile(rf"(?i)\b(bearer|basic(?={_BASE64}))\s+[\w.~+/=-]{{6,}}"), rf"\1 {_MASK}"),
    (re.compile(r"(?i)(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*://)[^\s/'\"]+@"), rf"\1{_MASK}@"),
    (re.compile(rf"(?i)(?<![\w-])(?=[\w-]*(?:{_NAMES}))([\w-]++{_ASSIGNS}\s*)(?:{_VALUE})"), rf"\1{_MASK}"),
    (re.compile(r"(?i)\b((?:set-)?cookie:\s*)[^\n]+"), rf"\1{_MASK}"),
    (re.compile(r"\b(?:sk|pk|rk|ghp|gho|xox[abp]|AKIA|AIza)[-_]?[A-Za-z0-9_-]{12,}"), _MASK),
    (re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+\b"), _MASK),
)


def redact(text: str) -> str:
    """`text` without what looks like a credential or an address, cut to `MAX_NOTE` characters."""
    if not text:
        return ""
    text = text[: 4 * MAX_NOTE]
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text if len(text) <= MAX_NOTE else f"{text[: MAX_NOTE - 1]}…"


def replaced(text: str, stand_in: Callable[[str], str]) -> str:
    """All of `text`, with what `stand_in` says in the place of each credential or address that it looks to hold."""
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(lambda found, said=replacement: found.expand(said).replace(_MASK, stand_in(found[0])), text)
    return text


def holds_credential(text: str) -> bool:
    """Whether `text` looks to hold a credential that is not masked already. An address is none."""
    found = (match[0] for pattern, _ in _PATTERNS[:-1] for match in pattern.finditer(text))
    return any(_MASK not in each for each in found)
