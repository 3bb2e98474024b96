"""A password, a key or a token as an argument.

## What it does

Finds arguments that hold a credential: `api_key`, `password`, `access_token`, `client_secret`. A token with another
word in front (`page_token`, `form_token`) is a handle, and so is an object of credential names.

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

Give it to the server: as its configuration, from its secret store, or as the access token of the connection.

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

Where the secret belongs to the object and not to the caller, such as the password of a document to unlock, and no
store holds it. Say so in the waiver.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import meaning, words
from fourfold.review.arguments import arguments, kinds
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


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="secret_argument"):
        if meaning(place.name) == "secret" and _holds_a_secret(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a secret that the model would have to know",
                fix="keep it on the server, as configuration or from the credential of the connection",
            )


def _holds_a_secret(place: Place) -> bool:
    found = kinds(place)
    if found and "string" not in found:
        return False
    *before, last = words(place.name)
    return last != "token" or not before or before[-1] in _OF_CREDENTIALS


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
