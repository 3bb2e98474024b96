"""What may not stand in a committed file, and what a test may not do."""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.meta.repository import ROOT, committed_files, modules_of_tests, parsed, product_modules

# Written as classes of letters, so that this file doesn't hold what it looks for.
_PLACES = re.compile(r"/home/[a-z]|/Users/[A-Z]|/[r]oot/|/[w]ork/(?:main|shared)|[A-Z]:\\Users\\")
_REGISTRIES = re.compile(r"\b(?:[a-z0-9-]+\.)*(?:pypi|pythonhosted|npmjs|yarnpkg)\.(?:org|com)\b", re.IGNORECASE)
_PUT_OFF = re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X])\b")
_BROAD = {"Exception", "BaseException"}


@pytest.fixture(scope="module")
def texts() -> dict[Path, str]:
    """Every committed text file."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no git here to tell which files are committed")
    return {path: text for path in committed_files() if (text := _text(path)) is not None}


def test_no_committed_file_names_a_place_on_somebodys_machine(texts: dict[Path, str]) -> None:
    """What works in one place only is a fault, and paths tell who worked where."""
    assert not [*_lines_with(_PLACES, texts), *_lines_with(re.compile(re.escape(f"{ROOT}/")), texts)]


def test_no_committed_file_names_a_registry(texts: dict[Path, str]) -> None:
    """Where packages come from is the choice of whoever installs."""
    assert not [*_lines_with(_REGISTRIES, texts)]


def test_no_committed_file_puts_work_off(texts: dict[Path, str]) -> None:
    """What is missing is an issue."""
    assert not [*_lines_with(_PUT_OFF, texts)]


def test_no_error_is_swallowed() -> None:
    """A broad except does something real, or it isn't there."""
    paths = (*product_modules(), *modules_of_tests())
    handlers = (
        (path, node) for path in paths for node in ast.walk(parsed(path)) if isinstance(node, ast.ExceptHandler)
    )

    assert not [f"{path.relative_to(ROOT)}:{node.lineno}" for path, node in handlers if _swallows(node)]


def test_no_test_sleeps() -> None:
    """A test polls a condition or sets the clock: sleeping is slow when it works and flaky when it doesn't."""
    assert not [*_places_in_tests(_sleeps)]


def test_no_test_patches_what_it_tests() -> None:
    """Fakes stand at the ports; a patched module proves the patch."""
    assert not [*_places_in_tests(_patches)]


@pytest.mark.parametrize(
    "line", ["time.sleep(pause)", "anyio.sleep(0.1)", "asyncio.sleep(delay=2)", "from time import sleep"]
)
def test_every_way_to_sleep_is_found(line: str) -> None:
    """A search that finds nothing must be one that could."""
    assert [node for node in ast.walk(ast.parse(line)) if _sleeps(node)]


def test_giving_way_is_not_sleeping() -> None:
    """`anyio.sleep(0)` lets others run and takes no time."""
    assert not [node for node in ast.walk(ast.parse("anyio.sleep(0)")) if _sleeps(node)]


@pytest.mark.parametrize(
    "line", ["import unittest.mock", "from unittest import mock", "monkeypatch.setattr(a, 'b', c)"]
)
def test_every_way_to_patch_is_found(line: str) -> None:
    """Also the import that doesn't spell the module out."""
    assert [node for node in ast.walk(ast.parse(line)) if _patches(node)]


@pytest.mark.parametrize("body", ["pass", "...", "continue", "'never mind'"])
def test_every_way_to_swallow_an_error_is_found(body: str) -> None:
    """Doing nothing has several spellings."""
    (loop,) = ast.parse(f"for a in b:\n try: c\n except Exception: {body}").body

    assert [node for node in ast.walk(loop) if isinstance(node, ast.ExceptHandler) and _swallows(node)]


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (_PLACES, f"{os.sep}home{os.sep}ada/project"),
        (_PLACES, f"{os.sep}root{os.sep}.cache"),
        (_REGISTRIES, f"files{os.extsep}pythonhosted{os.extsep}org"),
        (_PUT_OFF, f"# {'todo'.upper()}: later"),
    ],
)
def test_every_unwanted_text_is_found(pattern: re.Pattern[str], line: str) -> None:
    """Put together here, so that this file stays clean itself."""
    assert pattern.search(line)


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return None


def _lines_with(pattern: re.Pattern[str], texts: dict[Path, str]) -> Iterator[str]:
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                yield f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"


def _places_in_tests(is_wrong: Callable[[ast.AST], bool]) -> Iterator[str]:
    for path in modules_of_tests():
        for node in ast.walk(parsed(path)):
            if is_wrong(node):
                yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def _swallows(handler: ast.ExceptHandler) -> bool:
    does_nothing = all(isinstance(step, ast.Pass | ast.Continue) or _is_literal(step) for step in handler.body)
    return does_nothing and (handler.type is None or ast.unparse(handler.type) in _BROAD)


def _is_literal(step: ast.stmt) -> bool:
    return isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant)


def _sleeps(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="time"), attr="sleep")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio" | "anyio"), attr="sleep")):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            return any(isinstance(each, ast.Constant) and bool(each.value) for each in given)
        case ast.ImportFrom(module="time" | "asyncio" | "anyio", names=names):
            return any(name.name == "sleep" for name in names)
        case _:
            return False


def _patches(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(name.name.startswith("unittest.mock") for name in names)
        case ast.ImportFrom(module="unittest" | "unittest.mock"):
            return True
        case ast.Attribute(value=ast.Name(id="monkeypatch"), attr="setattr"):
            return True
        case _:
            return False
