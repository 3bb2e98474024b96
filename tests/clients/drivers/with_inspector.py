"""Carries out an order with the MCP Inspector's command line, one process a call, at home in a temporary folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[2]
NODE = TESTS / "conformance/node_modules/.bin/node"
INSPECTOR = TESTS / "clients/inspector/node_modules/@modelcontextprotocol/inspector"
PROGRAM = TESTS / "clients/inspector/node_modules/.bin/mcp-inspector"


def main(order: dict[str, Any], home: str) -> None:
    """Ask for the revision and the tools, with its strict check of their schemas, and call them."""
    version = json.loads((INSPECTOR / "package.json").read_text("utf-8"))["version"]
    revision = asked(order, home, "--method", "initialize")["protocolVersion"]
    tools = [tool["name"] for tool in asked(order, home, "--method", "tools/list", "--strict")["tools"]]
    answers = [answer(order, home, name=name, arguments=arguments) for name, arguments in order["calls"]]
    print(json.dumps({"version": version, "revision": revision, "tools": tools, "answers": answers}))


def asked(order: dict[str, Any], home: str, *question: str) -> Any:
    """The result that the Inspector prints. It ends with 5 when the tool answered with an error."""
    options = ["--cli", "--protocol-era", order["mode"], *question, "--format", "json", "--quiet"]
    environment = {**os.environ, "HOME": home}
    command = [str(NODE), str(PROGRAM), *options, *target_of(order)]
    done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode not in {0, 5}:
        raise SystemExit(f"the Inspector ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["result"]


def target_of(order: dict[str, Any]) -> list[str]:
    """The connection that the order names, as the last words of the command line."""
    if "url" not in order:
        return ["--", *order["command"]]
    headers = [f"{name}: {value}" for name, value in order["headers"].items()]
    return ["--transport", "http", "--server-url", order["url"], "--header", *headers]


def answer(order: dict[str, Any], home: str, *, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The text blocks, the object, and whether it is an error."""
    question = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments)]
    result = asked(order, home, *question)
    texts = [block["text"] for block in result["content"]]
    return {"texts": texts, "object": result.get("structuredContent"), "failed": result["isError"]}


with tempfile.TemporaryDirectory() as folder:
    main(json.loads(sys.argv[1]), folder)
