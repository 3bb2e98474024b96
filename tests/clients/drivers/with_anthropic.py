"""Asks twice through Anthropic's own client, whole and streamed, and prints what it understood.

The package is not installed beside Fourfold, so it is imported by name and its types are not checked.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

anthropic: Any = import_module("anthropic")


def main(order: dict[str, Any]) -> None:
    """Ask at the URL of the order."""
    client = anthropic.Anthropic(base_url=order["url"], api_key=order["key"], max_retries=0)
    asked = {"model": "c", "max_tokens": 99, "messages": order["messages"], "tools": order["tools"]}
    whole = client.messages.create(**asked)
    with client.messages.stream(**asked) as stream:
        streamed = stream.get_final_message()
    print(json.dumps([calls(answer.content) for answer in (whole, streamed)]))


def calls(found: list[Any]) -> list[Any]:
    """Names and arguments."""
    return [[block.name, block.input] for block in found if block.type == "tool_use"]


main(json.loads(sys.argv[1]))
