"""Characters that a reader does not see and a model does: which they are, and where scripts and emoji need them.

Judges strings; it knows nothing of tools. Control characters such as ESC are another matter (`ff706`).
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

__all__ = ["HiddenCharacter", "hidden_characters", "tag_text"]

_FLAG = "\U0001f3f4"
_FLAGS = ("gbeng", "gbsct", "gbwls")
"""The emoji tag sequences for interchange (Unicode RGI_Emoji_Tag_Sequence): England, Scotland, Wales."""

_TAG_BASE = 0xE0000
_CANCEL = 0xE007F
_JOINER = "\u200d"
_NON_JOINER = "\u200c"
_SPACE = "\u200b"
_MARKS = frozenset("\u200e\u200f\u061c")
_ISOLATES = frozenset("\u2066\u2067\u2068\u2069")
_ALWAYS = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064"
    "\u206a\u206b\u206c\u206d\u206e\u206f\u2800\u3164\ufeff\uffa0\ufff9\ufffa\ufffb"
)
"""Never needed in a tool's definition: invisible operators and fillers, overrides of direction, byte order marks."""

_JOINING = ("ARABIC", "SYRIAC", "NKO", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL",
            "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN")  # fmt: skip
_SPACELESS = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "JAVANESE", "BALINESE")
_SYMBOLS = frozenset({"So", "Sm", "Sk", "Po", "Pd", "Nd"})


@dataclass(frozen=True, slots=True)
class HiddenCharacter:
    """One character that stands in `text[position]` and is not seen there."""

    position: int
    character: str

    @property
    def code(self) -> str:
        """Its code point, such as `U+200B`."""
        return f"U+{ord(self.character):04X}"


def hidden_characters(text: str) -> tuple[HiddenCharacter, ...]:
    """The hidden characters of `text`; none if every one is seen, or is needed by the script or emoji around it.

    Needed are the joiners inside emoji and inside words of Arabic and Indic scripts, one variation selector after a
    symbol or an ideograph, direction marks in text that has letters written from the right, word breaks of scripts
    without spaces, and the three registered flags made of tags. Everything else in those blocks is a finding.
    """
    # Most definitions are ASCII, where nothing is hidden.
    if text.isascii():
        return ()
    flags = _flag_positions(text)
    return tuple(
        HiddenCharacter(position, character)
        for position, character in enumerate(text)
        if position not in flags and _is_hidden(text, position)
    )


def tag_text(text: str) -> str:
    """What the tag characters of `text` spell in ASCII; empty if there are none."""
    codes = (ord(character) - _TAG_BASE for character in text)
    return "".join(chr(code) for code in codes if 0x20 <= code < 0x7F)


def _flag_positions(text: str) -> set[int]:
    """Where the tags of registered flags stand."""
    found: set[int] = set()
    for flag in _FLAGS:
        tags = "".join(chr(_TAG_BASE + ord(letter)) for letter in flag) + chr(_CANCEL)
        start = text.find(_FLAG + tags)
        while start >= 0:
            found.update(range(start + 1, start + 1 + len(tags)))
            start = text.find(_FLAG + tags, start + 1)
    return found


def _is_hidden(text: str, position: int) -> bool:
    character = text[position]
    before, after = text[position - 1 : position], text[position + 1 : position + 2]
    if character in _ALWAYS or _TAG_BASE <= ord(character) <= _CANCEL:
        return True
    if character == _JOINER:
        return not (_joins_emoji(before, after) or _is_of(before, _JOINING))
    if character == _NON_JOINER:
        return not (_is_of(before, _JOINING) and _is_of(after, _JOINING))
    if character == _SPACE:
        return not (_is_of(before, _SPACELESS) or _is_of(after, _SPACELESS))
    if character in _MARKS or character in _ISOLATES:
        return not _runs_from_the_right(text)
    return _is_selector(character) and not _selects(character, before)


def _is_of(character: str, scripts: tuple[str, ...]) -> bool:
    return unicodedata.name(character, "").startswith(scripts) if character else False


def _joins_emoji(before: str, after: str) -> bool:
    return _is_emoji(before) and _is_emoji(after)


def _is_emoji(character: str) -> bool:
    """A symbol, or what may follow one: a skin tone, or the selector of its picture form."""
    return bool(character) and (unicodedata.category(character) in {"So", "Sk"} or character in "\ufe0f\u2640\u2642")


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _selects(character: str, before: str) -> bool:
    """Whether a variation selector has something to select: a second one in a row has not."""
    if not before:
        return False
    if before == "\u2139" or unicodedata.category(before) in _SYMBOLS:
        return character in "\ufe0e\ufe0f" or unicodedata.category(before) == "Sm"
    return unicodedata.category(before) == "Lo" and character not in "\ufe0e\ufe0f"


def _runs_from_the_right(text: str) -> bool:
    return any(character.isalpha() and unicodedata.bidirectional(character) in {"R", "AL"} for character in text)
