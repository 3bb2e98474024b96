"""Finding a catalog: targets, modules, and what is wrong with each."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from fourfold import ContractError
from fourfold.bootstrap.load import is_catalog_target, load_catalog
from fourfold.errors import ConfigError

CATALOG = '''
from typing import Annotated
from pydantic import Field
from fourfold import Catalog, Input, Output, Read

catalog = Catalog("desk")
empty = Catalog("empty")

class Nothing(Input):
    """Nothing."""

class Said(Output):
    text: Annotated[str, Field(max_length=10)]

@catalog.tool(name="word_say", version="1.0", does="Says a word", use_when="a word is wanted",
              not_for="anything else", effect=Read())
def word_say(request: Nothing) -> Said:
    return Said(text="x")
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """The current folder; what the search path is afterwards is what it was before."""
    before = [*sys.path]
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.path[:] = before


@pytest.mark.parametrize(
    ("target", "is_one"),
    [
        ("billing:catalog", True),
        ("billing.server:catalog", True),
        ("billing", False),
        ("billing:", False),
        (":catalog", False),
        ("billing:a:b", False),
        ("billing:a.b", False),
        ("http://localhost:8000/mcp", False),
        ("./billing.py:catalog", False),
        ("billing server:catalog", False),
        ("", False),
    ],
)
def test_a_catalog_target_is_a_module_and_a_name(target: str, is_one: bool) -> None:
    """B9: everything else is a URL, a command or a mistake."""
    assert is_catalog_target(target) is is_one


def test_a_catalog_is_found_in_the_current_folder(folder: Path) -> None:
    """B9: with the folder of its module, where it ships its configuration."""
    (folder / "desk_here.py").write_text(CATALOG)
    loaded = load_catalog("desk_here:catalog")

    assert loaded.built.name == "desk"
    assert list(loaded.built.tools) == ["word_say"]
    assert loaded.folder == folder


def test_a_catalog_is_found_inside_a_package(folder: Path) -> None:
    """B9: the folder is that of the inner module."""
    (folder / "desk_package").mkdir()
    (folder / "desk_package" / "server.py").write_text(CATALOG)

    assert load_catalog("desk_package.server:catalog").folder == folder / "desk_package"


def test_a_module_without_a_file_has_no_folder(folder: Path) -> None:
    """B9: a namespace package is found, and has no catalog."""
    (folder / "desk_namespace").mkdir()
    with pytest.raises(ConfigError, match=r"^'desk_namespace' has no Catalog named 'catalog'$"):
        load_catalog("desk_namespace:catalog")


@pytest.mark.parametrize("target", ["desk", "https://example.com", "desk:"])
def test_another_form_is_told(target: str) -> None:
    """B9: with an example."""
    with pytest.raises(ConfigError, match=r"is not module:catalog, such as billing:catalog$"):
        load_catalog(target)


@pytest.mark.parametrize("target", ["desk_nowhere:catalog", "desk_nowhere.server:catalog"])
def test_a_module_that_is_not_there_is_told(folder: Path, target: str) -> None:
    """B9: with what to do."""
    module = target.partition(":")[0]
    with pytest.raises(ConfigError, match=f"^there is no module '{module}'; install it, or run from its folder$"):
        load_catalog(target)


@pytest.mark.parametrize("missing", ["desk_needs", "desk_need", "desk"])
def test_a_module_that_misses_another_shows_which(folder: Path, missing: str) -> None:
    """B9: the author's import is the mistake, whatever the name of what is missing begins with."""
    (folder / "desk_needs_more.py").write_text(f"import {missing}_that_is_not_there\n")
    (folder / "desk_needs_stem.py").write_text(f"import {missing}\n")

    with pytest.raises(ModuleNotFoundError, match=f"{missing}_that_is_not_there"):
        load_catalog("desk_needs_more:catalog")
    with pytest.raises(ModuleNotFoundError, match=f"'{missing}'"):
        load_catalog("desk_needs_stem:catalog")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("tools", r"^'desk_names' has no Catalog named 'tools'; it has catalog, empty$"),
        ("Nothing", "it has catalog, empty$"),
    ],
)
def test_a_wrong_name_is_told_with_the_right_ones(folder: Path, name: str, told: str) -> None:
    """B9: what the module does have."""
    (folder / "desk_names.py").write_text(CATALOG)
    with pytest.raises(ConfigError, match=told):
        load_catalog(f"desk_names:{name}")


def test_a_catalog_that_does_not_build_says_why(folder: Path) -> None:
    """B2: with its own report, not with one about loading."""
    (folder / "desk_broken.py").write_text(CATALOG)
    with pytest.raises(ContractError, match="catalog 'empty' does not build"):
        load_catalog("desk_broken:empty")


def test_an_error_inside_the_module_is_the_authors(folder: Path) -> None:
    """B9: nothing hides the line that failed."""
    (folder / "desk_failing.py").write_text("1 / 0\n")
    with pytest.raises(ZeroDivisionError):
        load_catalog("desk_failing:catalog")
