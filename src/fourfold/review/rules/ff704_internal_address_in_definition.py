"""An address inside the network, or a folder of one person, in a definition.

## What it does

Finds private and link-local IPv4 addresses, host names that only an internal name server knows (`.internal`, `.corp`,
`.intranet`, `.lan`, `.local`, `cluster.local`), and paths below the home folder of a named user.

## Why it hurts

Definitions are read by everybody who may list tools. Such an address tells where to go next, the path who runs the
server; and a default that is the author's own folder is wrong on every other machine.

## Example

```json
{
  "name": "logs_read",
  "description": "Read logs of the cluster at http://10.20.4.17:9200.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

```json
{
  "name": "logs_read",
  "description": "Read logs of the cluster that this server is configured for. Returns lines.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

The tool is about such addresses, and the one that is given is an example (addresses of 192.0.2.0/24 are made for that).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.texts import Text, catalog_texts
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_KINDS = {
    "a private IP address": re.compile(
        rf"(?<![\d.])(?:10\.{_OCTET}|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.{_OCTET}\.{_OCTET}(?!\d|/|\.\d)"
    ),
    "the name of an internal host": re.compile(
        r"(?:://|@|\b(?:host|server|at|on) )[a-z0-9][a-z0-9.-]*\.(?:internal|intranet|corp|lan|local)\b", re.IGNORECASE
    ),
    "a folder of one user": re.compile(r"(?:/home/|/Users/|[A-Z]:\\{1,2}Users\\{1,2})(?P<user>[A-Za-z][\w.-]+)"),
}
_NOBODY = frozenset(
    {
        "user", "username", "user_name", "users", "name", "me", "you", "yourname", "your-name", "your_name", "alice",
        "bob", "john", "jane", "example", "default", "public", "shared", "someone", "xxx", "app", "node", "ubuntu",
        "vscode",
    }
)  # fmt: skip
_EXAMPLE = re.compile(
    r"(?:e\.?g\.?|for example|example|such as|like)[^.\n]{0,30}$|\w=[\"']?$|[\"']\w+[\"']:\s*[\"']?$", re.IGNORECASE
)


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for tool, text in catalog_texts(catalog):
        for kind, pattern in _KINDS.items():
            found = pattern.search(text.text)
            if found and not _is_example(text, found):
                yield Hit(
                    tool=tool,
                    pointer=text.pointer,
                    message=f"the {text.field if text.field.isascii() else 'text'} holds {kind}",
                    fix="take it out, and let the server read it from its own configuration",
                )


def _is_example(text: Text, found: re.Match[str]) -> bool:
    """Whether it stands for any address of its kind, and tells nothing."""
    user = found.groupdict().get("user")
    if user is not None:
        return user.lower() in _NOBODY
    return text.field in {"examples", "example"} or _EXAMPLE.search(text.text[: found.start()]) is not None


RULE = CatalogRule(
    id="FF704",
    symbol="internal-address-in-definition",
    severity="warning",
    question="autonomy",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
