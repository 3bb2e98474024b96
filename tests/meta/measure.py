"""Counts the shape of Python code: lines, comments, docstrings, annotations. Owns the counting, not the limits."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path

__all__ = ["Definition", "Function", "Module", "percentile"]

_NOT_CODE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
_SILENCED = re.compile(r"#\s*(?:type|pyright):\s*ignore")
_SILENCED_WITH_REASON = re.compile(r"#\s*(?:type|pyright):\s*ignore\[[\w, -]+\]\s+# \S")

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """One function or method. `code_lines` has no blank lines, comments or docstrings; nested functions count twice."""

    place: str
    code_lines: int
    untyped: tuple[str, ...]
    """Parameters without an annotation, and `return` where that one is missing."""
    positional: tuple[str, ...]
    """Parameters that may be passed by position, without self and cls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """Something public that has a docstring or should."""

    place: str
    documented: bool


class Module:
    """One file and what is counted in it.

    Args:
        name: How the file is called in failures.
        text: The source.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.lines = text.count("\n")
        self.tree = ast.parse(text)
        self._tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))

    @classmethod
    def read(cls, path: Path, *, root: Path) -> Module:
        """The module in a file, named by its path under `root`."""
        return cls(path.relative_to(root).as_posix(), path.read_text("utf-8"))

    @cached_property
    def code(self) -> frozenset[int]:
        """Numbers of the lines that hold code."""
        tokens = (token for token in self._tokens if token.type not in _NOT_CODE)
        held = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
        return frozenset(held - self._documentation)

    @cached_property
    def comments(self) -> frozenset[int]:
        """Numbers of the lines that hold a comment and nothing else."""
        lines = {token.start[0] for token in self._tokens if token.type == tokenize.COMMENT}
        return frozenset(lines - self.code)

    @cached_property
    def silenced(self) -> tuple[str, ...]:
        """Places where the type checker is told to look away."""
        return tuple(self._comments_like(_SILENCED))

    @cached_property
    def silenced_without_reason(self) -> tuple[str, ...]:
        """Those of `silenced` that lack the rule in brackets or a reason behind it."""
        return tuple(sorted({*self.silenced} - {*self._comments_like(_SILENCED_WITH_REASON)}))

    @cached_property
    def any_uses(self) -> int:
        """How often `Any` stands in an annotation or an expression, imports not counted."""
        return sum(_is_any(node) for node in ast.walk(self.tree))

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Every function and method, overload stubs left out."""
        nodes = (node for node in ast.walk(self.tree) if isinstance(node, FunctionNode))
        return tuple(self._function(node) for node in nodes if not _is_stub(node))

    @cached_property
    def public(self) -> tuple[Definition, ...]:
        """The module, its public classes and functions, and their public methods."""
        own = Definition(place=self.name, documented=ast.get_docstring(self.tree) is not None)
        return (own, *self._public_in(self.tree))

    @cached_property
    def _documentation(self) -> set[int]:
        strings = (node for node in ast.walk(self.tree) if isinstance(node, ast.Expr) and _is_string(node.value))
        return {line for node in strings for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}

    def _comments_like(self, pattern: re.Pattern[str]) -> Iterator[str]:
        for token in self._tokens:
            if token.type == tokenize.COMMENT and pattern.search(token.string):
                yield f"{self.name}:{token.start[0]}"

    def _function(self, node: FunctionNode) -> Function:
        span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        return Function(
            place=f"{self.name}:{node.lineno} {node.name}",
            code_lines=len(self.code.intersection(span)),
            untyped=tuple(_untyped(node)),
            positional=tuple(argument.arg for argument in _positional(node)),
        )

    def _public_in(self, parent: ast.Module | ast.ClassDef) -> Iterator[Definition]:
        for node in parent.body:
            if isinstance(node, FunctionNode | ast.ClassDef) and not node.name.startswith("_") and not _is_stub(node):
                place = f"{self.name}:{node.lineno} {node.name}"
                yield Definition(place=place, documented=ast.get_docstring(node) is not None)
                if isinstance(node, ast.ClassDef):
                    yield from self._public_in(node)


def percentile(numbers: Sequence[int], share: float) -> int:
    """The smallest of `numbers` that at least `share` of them do not exceed (nearest rank)."""
    ordered = sorted(numbers)
    return ordered[max(ceil(share * len(ordered)) - 1, 0)]


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_any(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="Any") | ast.Attribute(attr="Any"):
            return True
        case _:
            return False


def _is_stub(node: FunctionNode | ast.ClassDef) -> bool:
    """Overloads and property setters: the definition they belong to is counted and documented."""
    return any(ast.unparse(decorator).endswith(("overload", ".setter")) for decorator in node.decorator_list)


def _positional(node: FunctionNode) -> list[ast.arg]:
    arguments = [*node.args.posonlyargs, *node.args.args]
    return [argument for argument in arguments if argument.arg not in {"self", "cls"}]


def _untyped(node: FunctionNode) -> Iterator[str]:
    rest = [argument for argument in (node.args.vararg, node.args.kwarg) if argument]
    for argument in (*_positional(node), *node.args.kwonlyargs, *rest):
        if argument.annotation is None:
            yield argument.arg
    if node.returns is None:
        yield "return"
