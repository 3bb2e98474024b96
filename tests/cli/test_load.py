"""Modules that do not load: the user sees the user's own error, and no line of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Result

Run = Callable[..., Result]

_DRAFT = """\
from fourfold import Catalog, Input, Output, Read

catalog = Catalog("draft")


class In(Input):
    words: str


class Out(Output):
    titles: list[str]


@catalog.tool(name="Find", version="1.0", does="Find.", use_when="", not_for="", effect=Read())
def find(request: In) -> Out:
    return Out(titles=[])
"""


def test_a_catalog_that_does_not_build_prints_every_problem(run: Run, workspace: Path) -> None:
    """A1, B1: all of them at once, each with its reason and its fix; exit code 1."""
    (workspace / "draft_catalog.py").write_text(_DRAFT, "utf-8")

    result = run("tools", "draft_catalog:catalog")

    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("fourfold: catalog 'draft' does not build: ")
    assert result.err.count("    why: ") == result.err.count("    fix: ") >= 5
    assert "unbounded_string" in result.err
    assert "unbounded_array" in result.err


def test_a_module_that_raises_shows_its_own_traceback(run: Run, workspace: Path) -> None:
    """B9: from the user's module on, without the frames of the importer and of Fourfold."""
    (workspace / "raising.py").write_text("import json\njson.loads('{')\n", "utf-8")

    result = run("tools", "raising:catalog")

    assert result.code == 2
    first, second, *_, last = result.err.splitlines()
    assert (first, second) == ("fourfold: 'raising' cannot be imported:", "Traceback (most recent call last):")
    assert last.startswith("json.decoder.JSONDecodeError: Expecting property name")
    assert f'File "{workspace / "raising.py"}", line 2, in <module>' in result.err
    assert "importlib" not in result.err
    assert "fourfold/cli" not in result.err


def test_a_syntax_error_is_shown_where_it_is(run: Run, workspace: Path) -> None:
    """B9: file, line and caret."""
    (workspace / "unfinished.py").write_text("x = 1\ndef f(:\n", "utf-8")

    result = run("tools", "unfinished:catalog")

    assert result.code == 2
    assert f'File "{workspace / "unfinished.py"}", line 2\n    def f(:\n' in result.err
    assert result.err.endswith("SyntaxError: invalid syntax\n")


@pytest.mark.parametrize("text", ["import sys\nsys.exit(0)\n", "raise SystemExit\n"])
def test_a_module_that_exits_is_no_success(run: Run, workspace: Path, text: str) -> None:
    """B9: a script without a main guard must not look like a clean run."""
    (workspace / "leaving.py").write_text(text, "utf-8")

    result = run("tools", "leaving:catalog")

    assert result.code == 2
    assert "'leaving' cannot be imported" in result.err


def test_a_missing_import_of_the_module_is_not_a_missing_module(run: Run, workspace: Path) -> None:
    """B9: the name that is missing is the one to install."""
    (workspace / "needing.py").write_text("import need\n", "utf-8")

    assert run("tools", "needing:catalog").err.endswith("ModuleNotFoundError: No module named 'need'\n")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nowhere:catalog", "there is no module 'nowhere'; install it, or run from its folder"),
        ("shop:catalogue", "'shop' has no Catalog named 'catalogue'; it has catalog"),
        ("json:catalog", "'json' has no Catalog named 'catalog'"),
        ("shop.py:catalog", "'shop.py:catalog' names a file; a target names a module: shop:catalog"),
    ],
)
def test_a_target_that_names_no_catalog_is_told_apart(run: Run, target: str, message: str) -> None:
    """B9: which half of the target is wrong, and what is there instead."""
    assert run("tools", target) == Result(2, "", f"fourfold: {message}\n")


def test_what_a_module_and_a_handler_print_is_no_result(run: Run, workspace: Path) -> None:
    """A5: standard output can be piped into another program."""
    (workspace / "loud.py").write_text('from shop import catalog\nprint("loading")\n', "utf-8")

    result = run("call", "loud:catalog", "stock_get", '{"sku": "LOW-0002"}', "--json")

    assert result.out.startswith('{\n  "schema": "fourfold/call/v1",')
    assert result.err == "loading\nlooking into the shelves\n"


def test_an_unexpected_error_is_a_bug_and_ends_with_three(run: Run, workspace: Path) -> None:
    """A5: exit code 1 would mean findings; the traceback is what a report needs."""
    (workspace / "odd.py").write_text(
        "from fourfold import Catalog\ncatalog = Catalog('odd')\ncatalog.declarations.append(None)\n", "utf-8"
    )

    result = run("tools", "odd:catalog")

    assert result.code == 3
    assert result.err.startswith("Traceback (most recent call last):\n")
    assert result.err.endswith("fourfold: this is a bug; please report it with the lines above\n")
