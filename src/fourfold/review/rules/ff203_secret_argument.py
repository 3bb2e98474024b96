"""A password, a key or a token as an argument.

## What it does

Finds arguments that hold a credential: `api_key`, `password`, `access_token`, `client_secret`. A token with another
word in front (`page_token`, `form_token`) is a handle, and so are a bare `token` of a link or a subscription and an
object of credential names. The password of a document or a form, which no store of the server can hold, is advice.

## Why it hurts

To send a secret, a model has to have it: it stands in the conversation, in the provider's logs, in the transcript
that a client keeps and in every trace of the call. Servers log arguments; a rotated key is the best that can come
of it.

## Example

```json
{
  "name": "crm_search",
  "description": "Search the CRM.",
  "inputSchema": {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 200}, "api_key": {"type": "string", "maxLength": 64}},
    "required": ["text", "api_key"],
    "additionalProperties": false
  }
}
```

## Use instead

Give it to the server: as its configuration, from its secret store, or as the access token of the connection. The
password of a document can be typed by the user, at an address that the server gives out for it.

```json
{
  "name": "crm_search",
  "description": "Search the CRM.",
  "inputSchema": {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 200}},
    "required": ["text"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the secret is no secret, such as the password of a sheet that only keeps people from typing into it. A
description that says so (`is not security`) is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import meaning, words
from fourfold.review.arguments import arguments, explained, kinds
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_OF_CREDENTIALS = frozenset(
    words(
        """
        access api auth authorization authentication bearer refresh id jwt personal oauth oauth2 login security service
        bot app private secret pat user account admin github gitlab slack csrf
        """
    )
)
"""What stands before `token` in a credential; any other word makes it a handle for something."""

_A_HANDLE = re.compile(r"\blink\b|\w://|\bupload\b|\bsubscription|\binvit|\bconfirm|\bunsubscribe\b", re.IGNORECASE)
"""What a bare `token` or `secret` names when the model has read it in a result, a mail or an address."""

_NO_SECURITY = re.compile(r"\b(?:not|no) security\b", re.IGNORECASE)
"""What the author of a sheet's protection says of it; its password keeps nothing from anybody."""

_LOCKED = frozenset(words("document pdf sheet workbook spreadsheet form archive zip protect unprotect unlock"))
"""What has a password of its own, and the verbs for it."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="secret_argument"):
        if meaning(place.name) != "secret" or not _holds_a_secret(place, tool):
            continue
        if not _is_of_the_object(place, tool):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a secret that the model would have to know",
                fix="keep it on the server, as configuration or from the credential of the connection",
            )
        elif not _NO_SECURITY.search(tool.description):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a password that will stand in the conversation and in every log of the call",
                fix="have the user type it outside of the conversation",
                severity="advice",
            )


def _holds_a_secret(place: Place, tool: ToolView) -> bool:
    found = kinds(place)
    if found and "string" not in found:
        return False
    *before, last = words(place.name)
    if not before and last in ("token", "secret"):
        return not _A_HANDLE.search(f"{' '.join(tool.words)} {explained(tool, place)}")
    return last != "token" or not before or before[-1] in _OF_CREDENTIALS


def _is_of_the_object(place: Place, tool: ToolView) -> bool:
    parts = words(place.name)
    return parts[-1] in ("password", "passphrase") and bool(_LOCKED & {*tool.words, *parts})


RULE = ToolRule(
    id="FF203",
    symbol="secret-argument",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/DataRecce/recce/pull/1349", "https://github.com/Mai-with-u/MaiBot/pull/1645"),
    page=Page.read(__doc__),
    check=_check,
)
