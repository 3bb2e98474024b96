"""Asks twice through OpenAI's own client, whole and streamed, and prints what it understood.

The package is not installed beside Fourfold, so it is imported by name and its types are not checked.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

openai: Any = import_module("openai")


def main(order: dict[str, Any]) -> None:
    """Ask at the URL of the order."""
    client = openai.OpenAI(base_url=f"{order['url']}/v1", api_key=order["key"], max_retries=0)
    whole = client.chat.completions.create(model="m", messages=order["messages"], tools=order["tools"])
    with client.chat.completions.stream(model="m", messages=order["messages"], tools=order["tools"]) as stream:
        streamed = stream.get_final_completion()
    print(json.dumps([calls(answer.choices[0].message.tool_calls) for answer in (whole, streamed)]))


def calls(found: list[Any]) -> list[Any]:
    """Names and arguments."""
    return [[call.function.name, json.loads(call.function.arguments)] for call in found]


main(json.loads(sys.argv[1]))
