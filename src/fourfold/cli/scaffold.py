"""What `fourfold new` writes: the templates filled in, and the files put in place, all of them or none."""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template

from fourfold.errors import ConfigError

__all__ = ["EFFECTS", "Project", "find_project", "make_folder", "server_files"]

EFFECTS = ("read", "create", "update")
"""The effects that there are templates for."""

_FIRST = {"note_create": "create", "note_get": "read"}
"""The tools of a new server, and their effects."""

_IN_PROJECT = {
    ".gitignore": "gitignore",
    "README.md": "README.md",
    "fourfold.toml": "fourfold.toml",
    "pyproject.toml": "pyproject.toml",
    "tests/conftest.py": "conftest.py",
    "tests/selection.jsonl": "selection.jsonl",
    "tests/test_selection.py": "test_selection.py",
}


def server_files(package: str, *, token_sha256: str) -> dict[str, str]:
    """Every file of a new server, by its path in the folder."""
    given = {"package": package, "version": version("fourfold"), "token_sha256": token_sha256}
    imports = "\n".join(_import_of(package, tool) for tool in _FIRST)
    made = {path: _filled(template, given) for path, template in _IN_PROJECT.items()}
    made[f"{package}/__init__.py"] = _filled("package.py", {**given, "imports": imports})
    made[f"{package}/catalog.py"] = _filled("catalog.py", given)
    for tool, effect in _FIRST.items():
        made |= _tool_files(package, tool, effect)
    return made


def make_folder(target: Path, made: Mapping[str, str]) -> None:
    """Make `target` with these files in it. Whatever goes wrong, it is there as a whole or not at all.

    Raises:
        ConfigError: something is there already, or the files cannot be written.
    """
    # A link to an empty folder is one too many: it would be replaced, and what it leads to would stay empty.
    if target.is_symlink() or (target.exists() and not _is_empty_folder(target)):
        raise ConfigError(f"{target.name} is there already and is not an empty folder; choose another name")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as draft:
            # A folder in the draft, and not the draft itself, which only its owner may read.
            whole = Path(draft) / target.name
            for path, text in made.items():
                (whole / path).parent.mkdir(parents=True, exist_ok=True)
                (whole / path).write_text(text, "utf-8")
            whole.rename(target)
    except OSError as error:
        raise ConfigError(f"{target.name} cannot be made: {error.strerror}") from error


class Project:
    """A folder of the form that `fourfold new` makes."""

    def __init__(self, folder: Path, package: str) -> None:
        self._folder = folder
        self._package = package

    @property
    def entry(self) -> str:
        """The file that loads the tools, by its path in the folder."""
        return f"{self._package}/__init__.py"

    def has(self, tool: str) -> bool:
        """Whether a module of the package is named after the tool, or declares it."""
        declared = re.compile(rf"""\bname\s*=\s*["']{tool}["']""")
        modules = sorted((self._folder / self._package).rglob("*.py"))
        return any(path.stem == tool or declared.search(_text_of(path)) for path in modules)

    def add(self, tool: str, effect: str) -> tuple[str, ...]:
        """Write the module of a tool and its tests, and the line that loads it; the paths of the new files.

        Raises:
            ConfigError: one of them is there already, or cannot be written; nothing was changed.
        """
        made = _tool_files(self._package, tool, effect)
        entry = self._folder / self.entry
        try:
            loading = _registered(_text_of(entry), self._package, tool)
            with ExitStack() as undo:
                for name, text in made.items():
                    self._write(name, text, undo)
                # Last: until then nothing loads the new files, and they can be taken away again.
                _replace(entry, loading)
                undo.pop_all()
        except OSError as error:
            raise ConfigError(f"{tool} cannot be added: {error.strerror}") from error
        return tuple(made)

    def _write(self, name: str, text: str, undo: ExitStack) -> None:
        path = self._folder / name
        if path.exists():
            raise ConfigError(f"{name} is there already; choose another name, or move it away")
        # Before the file is there, since Ctrl-C may come between any two lines.
        undo.callback(path.unlink, missing_ok=True)
        path.write_text(text, "utf-8")


def find_project(folder: Path) -> Project:
    """The project in `folder`.

    Raises:
        ConfigError: it has not the form that `fourfold new` makes; the message says what is missing.
    """
    try:
        project = tomllib.loads(_text_of(folder / "pyproject.toml"))
        named = project["project"]["name"]
    except (ConfigError, ValueError, KeyError, TypeError) as error:
        raise ConfigError("no pyproject.toml here names a project; run this in a folder of fourfold new") from error
    # A project may have dashes in its name where its package has underscores.
    package = str(named).replace("-", "_")
    for path in (f"{package}/__init__.py", f"{package}/catalog.py", "tests/conftest.py"):
        if not package.isidentifier() or not (folder / path).is_file():
            raise ConfigError(f"there is no {path} here; run this in a folder that has the form of fourfold new")
    return Project(folder, package)


def _tool_files(package: str, tool: str, effect: str) -> dict[str, str]:
    resource, _, action = tool.rpartition("_")
    given = {
        "package": package,
        "tool": tool,
        "Tool": _camel(tool),
        "resource": resource,
        "Resource": _camel(resource),
        "words": resource.replace("_", " "),
        "action": action,
    }
    return {
        f"{package}/{tool}.py": _filled(f"{effect}.py", given),
        f"tests/test_{tool}.py": _filled(f"test_{effect}.py", given),
    }


def _filled(template: str, given: Mapping[str, str]) -> str:
    # The suffix keeps linters and type checkers from taking a template for a module.
    text = files("fourfold.cli").joinpath("templates", f"{template}.template").read_text("utf-8")
    return Template(text).substitute(given)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _import_of(package: str, module: str) -> str:
    return f"from {package} import {module} as {module}"


def _registered(text: str, package: str, tool: str) -> str:
    """`text` with the line that loads `tool`, in the order of the alphabet and before that of the catalog.

    Raises:
        ConfigError: there is no line that loads the catalog, so that nobody can tell where it belongs.
    """
    wanted = _import_of(package, tool)
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        loads_tool = line.startswith(f"from {package} import ") and line > wanted
        if loads_tool or line.startswith(f"from {package}.catalog import "):
            return "".join([*lines[:index], f"{wanted}\n", *lines[index:]])
    raise ConfigError(
        f"{package}/__init__.py has no line `from {package}.catalog import catalog`; write it there first"
    )


def _replace(path: Path, text: str) -> None:
    """Change a file in one step, so that nobody reads half of it."""
    draft = path.with_suffix(".draft")
    with ExitStack() as undo:
        undo.callback(draft.unlink, missing_ok=True)
        draft.write_text(text, "utf-8")
        draft.chmod(path.stat().st_mode)
        draft.replace(path)


def _text_of(path: Path) -> str:
    """The text of a file of the project.

    Raises:
        ConfigError: it cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as UTF-8 text") from error


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and next(path.iterdir(), None) is None
