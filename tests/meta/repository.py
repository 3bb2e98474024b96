"""Where the project's files are, read once. Owns no judgement: the tests beside it judge."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = [
    "ROOT",
    "SHARED",
    "ProductTest",
    "committed_files",
    "modules_of_tests",
    "parsed",
    "product_modules",
    "product_tests",
]

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
"""Requirements and cases lie beside the checkout where the project is developed, and nowhere else."""

_PRODUCT = ("src/fourfold", "examples")
_ABOUT_THE_REPOSITORY = {"meta", "docs"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductTest:
    """One test, with the text that says what it proves."""

    path: Path
    name: str
    docstring: str
    tree: ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


@cache
def committed_files() -> tuple[Path, ...]:
    """Every file that git keeps, or would keep once added."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    paths = [ROOT / name for name in names if name]
    return tuple(path for path in paths if path.is_file())


def product_modules() -> tuple[Path, ...]:
    """The Python files that users run: the package and the examples, without tests."""
    found = (path for name in _PRODUCT for path in (ROOT / name).rglob("*.py"))
    return tuple(sorted(path for path in found if not path.name.startswith(("test_", "conftest"))))


def modules_of_tests() -> tuple[Path, ...]:
    """The Python files under tests, fixtures and servers for tests included."""
    return tuple(sorted(path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts))


@cache
def product_tests() -> tuple[ProductTest, ...]:
    """Every test of the product. Tests about the repository itself prove no requirement and are left out."""
    tests = ROOT / "tests"
    paths = [path for path in modules_of_tests() if path.relative_to(tests).parts[0] not in _ABOUT_THE_REPOSITORY]
    return tuple(test for path in paths for test in _tests_in(path))


def _tests_in(path: Path) -> Iterator[ProductTest]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield ProductTest(path=path, name=node.name, docstring=ast.get_docstring(node) or "", tree=node)
