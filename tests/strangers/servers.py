"""MCP servers of others: how each is started, in a folder that is thrown away, and arguments that work there.

Their versions are pinned by `requirements/strangers-*.txt` and `tests/strangers/package-lock.json`.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["ROOT", "STRANGERS", "Stranger", "command_of", "furnish", "locked_version"]

ROOT = Path(__file__).parents[2]
_NPM = "tests/strangers/node_modules/.bin"
_SDK1 = ".venv-strangers-sdk1/bin"
_SDK2 = ".venv-strangers-sdk2/bin"
_HERE = "{folder}"

Arguments = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stranger:
    """One server.

    Attributes:
        package: as its registry names it.
        command: what starts it; `{folder}` stands for the folder that is thrown away.
        examples: by tool, arguments that work there. They become `[[prove.example]]`.
        is_listed_only: nothing it needs for a call is here, such as a browser.
    """

    package: str
    command: tuple[str, ...]
    examples: Mapping[str, Arguments] = field(default_factory=dict[str, Arguments])
    is_listed_only: bool = False

    @property
    def lock(self) -> Path:
        """The file that pins its version."""
        program = next(word for word in self.command if "/bin/" in word or ".bin/" in word)
        if program.startswith(_NPM):
            return ROOT / "tests/strangers/package-lock.json"
        return ROOT / f"requirements/{program.split('/')[0].removeprefix('.venv-')}.txt"


_REPOSITORY = f"{_HERE}/repo"
_FILE = f"{_REPOSITORY}/a.txt"

STRANGERS = (
    Stranger(package="@modelcontextprotocol/server-everything", command=(f"{_NPM}/mcp-server-everything",)),
    Stranger(
        package="@modelcontextprotocol/server-filesystem",
        command=(f"{_NPM}/mcp-server-filesystem", _HERE),
        examples={
            "read_file": {"path": _FILE},
            "read_text_file": {"path": _FILE},
            "read_multiple_files": {"paths": [_FILE]},
            "list_directory": {"path": _REPOSITORY},
            "list_directory_with_sizes": {"path": _REPOSITORY},
            "directory_tree": {"path": _REPOSITORY},
            "search_files": {"path": _REPOSITORY, "pattern": "*.txt"},
            "get_file_info": {"path": _FILE},
        },
    ),
    Stranger(
        package="@modelcontextprotocol/server-memory",
        command=("env", f"MEMORY_FILE_PATH={_HERE}/memory.jsonl", f"{_NPM}/mcp-server-memory"),
    ),
    Stranger(
        package="@modelcontextprotocol/server-sequential-thinking",
        command=(f"{_NPM}/mcp-server-sequential-thinking",),
    ),
    Stranger(
        package="@cyanheads/git-mcp-server",
        command=(f"{_NPM}/git-mcp-server",),
        examples={
            "git_status": {"path": _REPOSITORY},
            "git_blame": {"path": _REPOSITORY, "filePath": "a.txt"},
            "git_show": {"path": _REPOSITORY, "object": "HEAD"},
        },
    ),
    Stranger(package="@playwright/mcp", command=(f"{_NPM}/playwright-mcp",), is_listed_only=True),
    Stranger(
        package="mcp-server-git",
        command=(f"{_SDK2}/mcp-server-git", "--repository", _REPOSITORY),
        examples={
            "git_status": {"repo_path": _REPOSITORY},
            "git_diff": {"repo_path": _REPOSITORY, "target": "HEAD"},
            "git_show": {"repo_path": _REPOSITORY, "revision": "HEAD"},
            "git_branch": {"repo_path": _REPOSITORY, "branch_type": "local"},
        },
    ),
    Stranger(
        package="mcp-server-time",
        command=(f"{_SDK2}/mcp-server-time", "--local-timezone=UTC"),
        examples={
            "get_current_time": {"timezone": "Europe/Berlin"},
            "convert_time": {"source_timezone": "Europe/Berlin", "time": "12:30", "target_timezone": "UTC"},
        },
    ),
    Stranger(package="mcp-server-fetch", command=(f"{_SDK2}/mcp-server-fetch",)),
    Stranger(
        package="excel-mcp-server",
        command=(f"{_SDK2}/excel-mcp-server", "stdio", "--allow-dir", _HERE),
        examples={"list_workbooks": {"directory": _HERE}},
    ),
    Stranger(package="mcp-server-sqlite", command=(f"{_SDK1}/mcp-server-sqlite", "--db-path", f"{_HERE}/notes.db")),
    Stranger(package="mcp-server-calculator", command=(f"{_SDK1}/mcp-server-calculator",)),
    Stranger(package="mcp-text-editor", command=(f"{_SDK1}/mcp-text-editor",)),
    Stranger(package="unit-converter-mcp", command=(f"{_SDK1}/unit-converter-mcp",)),
)


def locked_version(stranger: Stranger) -> str:
    """The version that its lock pins."""
    text = stranger.lock.read_text("utf-8")
    if stranger.lock.suffix == ".json":
        return str(json.loads(text)["packages"][f"node_modules/{stranger.package}"]["version"])
    found = re.search(rf"^{stranger.package}==(\S+)", text, re.MULTILINE)
    assert found is not None
    return found[1]


def command_of(stranger: Stranger, folder: Path) -> list[str]:
    """What starts it on a folder."""
    programs = (_NPM, _SDK1, _SDK2)
    words = [f"{ROOT}/{word}" if word.startswith(programs) else word for word in stranger.command]
    return [word.replace(_HERE, str(folder)) for word in words]


def furnish(folder: Path, stranger: Stranger) -> None:
    """Put a small repository there, and `fourfold.toml` with the server's examples."""
    repository = folder / "repo"
    repository.mkdir()
    (repository / "a.txt").write_text("hello\n", "utf-8")
    git = ("git", "-C", str(repository), "-c", "user.name=ana", "-c", "user.email=ana@example.com")
    for step in (("init", "-q"), ("add", "."), ("commit", "-qm", "One file")):
        subprocess.run([*git, *step], check=True)
    (repository / "a.txt").write_text("hello\nagain\n", "utf-8")
    lines: list[str] = []
    for tool, arguments in stranger.examples.items():
        pairs = ", ".join(f"{name} = {json.dumps(value)}" for name, value in arguments.items())
        lines += ["[[prove.example]]", f"tool = {json.dumps(tool)}", f"arguments = {{ {pairs} }}"]
    (folder / "fourfold.toml").write_text("\n".join(lines).replace(_HERE, str(folder)), "utf-8")
