r"""A name with letters that only look like others.

## What it does

Finds names of tools, arguments and fields, and listed values, that mix letters of two scripts in one word, consist of
letters of another script that all look Latin, or use full-width and other compatibility forms of letters.

## Why it hurts

`bash` with a Cyrillic `a` is another name. A reviewer and an allow list take it for the one they know; a model that
writes it in plain letters calls something else.

## Example

```json
{
  "name": "verify_\u0455ser",
  "description": "Verify a user.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

```json
{
  "name": "verify_user",
  "description": "Verify a user. Returns whether the address is confirmed.",
  "inputSchema": {"type": "object", "properties": {"stra\u00dfe": {"type": "string"}}}
}
```

## When to ignore

Never for names of tools.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.texts import Text, catalog_texts
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_CONFUSED = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN")
"""Scripts with letters that look like those of another one of them."""

_LOOK_LATIN = frozenset(
    "\u0430\u0441\u0435\u0456\u0458\u043e\u0440\u0455\u0445\u0443\u04bb\u0501\u051b\u051d\u0410\u0412\u0415\u041a\u041c"
    "\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u03bf\u03b1\u03c1\u03bd\u0391\u0392\u0395\u0396\u0397\u0399"
    "\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u0585\u057d\u0578\u0581\u04cf\u04c0"
)
"""Letters of Cyrillic, Greek and Armenian that cannot be told from Latin ones (Unicode TR 39, the usual ones)."""

_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_VALUE = 64


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for tool, text in catalog_texts(catalog):
        if text.text.isascii() or not _is_identifier(text):
            continue
        reason = _reason(text.text)
        if reason:
            yield Hit(
                tool=tool,
                pointer=text.pointer,
                message=f"{_spelled(text.text)} {reason}",
                fix="write it in the letters of one alphabet, for names in ASCII",
            )


def _is_identifier(text: Text) -> bool:
    is_value = text.field == "enum" and not text.is_key and len(text.text) <= _LONGEST_VALUE
    return text.is_name or is_value


def _reason(name: str) -> str:
    # NFC first, so that a name in decomposed form is not taken for one in look-alikes.
    if unicodedata.normalize("NFKC", name) != unicodedata.normalize("NFC", name):
        return "uses compatibility forms of letters, which look like plain ones"
    for word in _WORD.findall(name):
        scripts = {_script(letter) for letter in word} & set(_CONFUSED)
        if len(scripts) > 1:
            return f"mixes letters of {' and '.join(sorted(script.title() for script in scripts))} in one word"
    letters = [letter for letter in name if letter.isalpha()]
    if letters and all(letter in _LOOK_LATIN for letter in letters):
        return "has only letters that look Latin and are not"
    return ""


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]


def _spelled(name: str) -> str:
    """The name with every letter that is not ASCII as its code point."""
    return "".join(letter if letter.isascii() and letter.isprintable() else f"[U+{ord(letter):04X}]" for letter in name)


RULE = CatalogRule(
    id="FF705",
    symbol="look-alike-letters",
    severity="error",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/ryo-ebata/cc-audit/issues/139",
        "https://github.com/modelcontextprotocol/python-sdk/pull/3141",
    ),
    page=Page.read(__doc__),
    check=_check,
)
