"""A credential in a definition.

## What it does

Looks in every text of a definition, and in the server's instructions, for keys and tokens in the form that providers
give them, private keys, and addresses with a password in them; and for a default or example of an argument that is a
secret by its name. Placeholders (`<token>`, `YOUR_KEY`, `${TOKEN}`, `xxx`) are left alone.

## Why it hurts

A list of tools is shown to every caller, sent to the model with each request, cached by clients and written to logs. A
default that was read from the server's environment publishes that environment.

## Example

```json
{
  "name": "report_run",
  "description": "Run a report on postgres://reporting:h7Gq2LmZ@db.example.com/main.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

The server knows its own credentials; the definition needs none.

```json
{
  "name": "report_run",
  "description": "Run a report on the reporting database. Returns rows.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

The value is a published test key, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import meaning
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.texts import catalog_texts
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_KINDS = {
    "an AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})\b",
    "a GitLab token": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "a key of a model provider": r"\bsk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{24,}",
    "a Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}",
    "a Stripe key": r"\b[rs]k_live_[A-Za-z0-9]{16,}",
    "a Google API key": r"\bAIza[0-9A-Za-z_-]{35}\b",
    "an npm token": r"\bnpm_[A-Za-z0-9]{36}\b",
    "a Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}\b",
    "a private key": r"(?P<head>-----BEGIN) (?:[A-Z]+ )?PRIVATE KEY-----",
    "a signed token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    "an address with a password": r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:(?P<secret>[^\s/@]{3,64})@[\w.-]+",
    "a bearer token": r"\bBearer (?P<bearer>[A-Za-z0-9._~+/-]{24,})",
}
_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _KINDS.items()}
_PLACEHOLDER = re.compile(
    r"[<>{}$*%\[\]]|\.\.\.|x{3,}|0{6,}|1234|abcd|your|example|sample|placeholder|change|dummy|fake|redacted"
    r"|secret|token|passw|\bpass\b|\bpwd\b|\bkey\b",
    re.IGNORECASE,
)
_GIVEN = ("default", "const", "examples", "example")


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for tool, text in catalog_texts(catalog):
        for kind, pattern in _PATTERNS.items():
            found = pattern.search(text.text)
            # A named group is the secret itself; what stands around it may well say "key".
            if found and not _PLACEHOLDER.search(found.group(found.lastgroup or 0)):
                yield _hit(tool, text.pointer, what=f"what looks like {kind}", length=len(found.group()))
    for tool in catalog.tools:
        yield from _given(tool)


def _given(tool: ToolView) -> Iterator[Hit]:
    """Values that stand in the schema of an argument which is a secret by its name."""
    for place in tool.arguments:
        if meaning(place.name) != "secret":
            continue
        for keyword in _GIVEN:
            value: object = place.schema.get(keyword)
            if isinstance(value, str) and len(value) > 5 and not _PLACEHOLDER.search(value):
                yield _hit(tool.name, f"{place.pointer}/{keyword}", what=f"a value of {place.name}", length=len(value))


def _hit(tool: str, pointer: str, *, what: str, length: int) -> Hit:
    return Hit(
        tool=tool,
        pointer=pointer,
        message=f"the definition holds {what}, {length} characters long",
        fix="take it out, make it invalid where it was issued, and let the server read it from its own configuration",
    )


RULE = CatalogRule(
    id="FF703",
    symbol="credential-in-definition",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://aguarascan.com/blog/ai-agents-dont-understand-secrets",
        "https://agentreserve.ai/rules/no_secret_leakage_in_observed_text",
    ),
    page=Page.read(__doc__),
    check=_check,
)
