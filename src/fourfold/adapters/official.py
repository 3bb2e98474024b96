"""Runs the official MCP test tools, where npm has installed them. Nothing is downloaded here."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import anyio

from fourfold.errors import ConfigError
from fourfold.prove.official import ScenarioCheck

__all__ = [
    "INSPECTOR_PACKAGE",
    "ON_PATH",
    "SUITE_PACKAGE",
    "NodeTool",
    "find_conformance",
    "find_inspector",
    "inspected_tools",
    "run_suite",
]

ON_PATH = "path"
"""Stands for the programs that are found on PATH, instead of a folder."""

SUITE_PACKAGE = "@modelcontextprotocol/conformance"
INSPECTOR_PACKAGE = "@modelcontextprotocol/inspector"
_SUITE_S = 300.0
_INSPECTOR_S = 60.0
_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTool:
    """A program in JavaScript, and the Node that runs it."""

    node: str
    program: str

    async def run(self, *words: str, home: str, seconds: float) -> tuple[int, str, str]:
        """Its exit code, and what it printed, on standard output and standard error.

        Raises:
            ConfigError: it cannot be started, or does not come to an end.
        """
        command = [self.node, self.program, *words]
        try:
            with anyio.fail_after(seconds):
                # Its own settings stay out of the user's home, and the user's token out of its environment.
                environment = {**os.environ, "HOME": home}
                environment.pop("FOURFOLD_TOKEN", None)
                done = await anyio.run_process(command, check=False, cwd=home, env=environment)
        except TimeoutError:
            raise ConfigError(f"{self.program} did not come to an end in {seconds:.0f} seconds") from None
        except OSError as error:
            raise ConfigError(f"{self.node} cannot be started: {error.strerror}") from None
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def find_conformance(places: Sequence[str]) -> NodeTool | None:
    """The conformance suite in the first of the folders that has it, or on PATH; `None` if it is nowhere."""
    return _found(places, SUITE_PACKAGE, script="dist/index.js", command="conformance")


def find_inspector(places: Sequence[str]) -> NodeTool | None:
    """The Inspector, likewise."""
    return _found(places, INSPECTOR_PACKAGE, script="clients/launcher/build/index.js", command="mcp-inspector")


async def run_suite(suite: NodeTool, url: str, *, revision: str) -> Mapping[str, Sequence[ScenarioCheck]]:
    """The scored scenarios of a revision against a server, each with its checks.

    Raises:
        ConfigError: the suite could not run.
    """
    with tempfile.TemporaryDirectory(prefix="fourfold-official-") as home:
        asked = ("--requirements", revision)
        code, listing, trouble = await suite.run("list", "--server", *asked, home=home, seconds=_INSPECTOR_S)
        if code != 0:
            raise ConfigError(f"the conformance suite could not run: {_last_line(trouble or listing)}")
        results = Path(home) / "results"
        await suite.run("server", "--url", url, *asked, "-o", str(results), home=home, seconds=_SUITE_S)
        scored = _scored(listing)
        return {name: checks for name, checks in _results(results).items() if name in scored}


async def inspected_tools(inspector: NodeTool, target: str | Sequence[str], *, modern: bool) -> list[str]:
    """The names of the tools that the Inspector lists.

    Raises:
        ConfigError: it could not run, or could not list them.
    """
    where = ["--transport", "http", "--server-url", target] if isinstance(target, str) else ["--", *target]
    words = ["--cli", "--protocol-era", "modern" if modern else "legacy", "--method", "tools/list"]
    with tempfile.TemporaryDirectory(prefix="fourfold-official-") as home:
        code, said, trouble = await inspector.run(
            *words, "--format", "json", "--quiet", *where, home=home, seconds=_INSPECTOR_S
        )
    try:
        answer = cast("dict[str, Any]", json.loads(said))
        return [str(tool["name"]) for tool in answer["result"]["tools"]]
    except (ValueError, KeyError, TypeError):
        raise ConfigError(f"the Inspector ended with {code}: {_last_line(trouble or said)}") from None


def _found(places: Sequence[str], package: str, *, script: str, command: str) -> NodeTool | None:
    nodes = [Path(place) / "node_modules/.bin/node" for place in places if place != ON_PATH]
    node = next((str(each.resolve()) for each in nodes if each.exists()), shutil.which("node"))
    for place in places if node else ():
        named = shutil.which(command) if place == ON_PATH else None
        program = Path(named) if named else Path(place) / "node_modules" / package / script
        # Another program may have so plain a name.
        if program.exists() and package in program.resolve().as_posix():
            return NodeTool(node=str(node), program=str(program.resolve()))
    return None


def _scored(listing: str) -> set[str]:
    """The names of the server scenarios that count, from the list that the suite prints of them."""
    scored = listing.partition("Server scenarios")[2].partition("Client scenarios")[0]
    return set(re.findall(r"^  - (\S+)", scored, re.MULTILINE))


def _results(folder: Path) -> dict[str, list[ScenarioCheck]]:
    found: dict[str, list[ScenarioCheck]] = {}
    for path in sorted(folder.glob("*/checks.json")):
        named = _FOLDER.fullmatch(path.parent.name)
        if named is not None:
            found[named["scenario"]] = [_check(each) for each in json.loads(path.read_text("utf-8"))]
    return found


def _check(said: dict[str, Any]) -> ScenarioCheck:
    references = cast("list[dict[str, Any]]", said.get("specReferences") or [])
    sources = [str(each.get("url", "")) for each in references]
    return ScenarioCheck(
        name=str(said["id"]),
        description=str(said.get("description", "")),
        status=str(said["status"]),
        message=str(said.get("errorMessage") or ""),
        sources=tuple(source for source in sources if source.startswith("https://")),
    )


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if "Error" in line] or text.strip().splitlines() or ["nothing"]
    return lines[-1][:300]
