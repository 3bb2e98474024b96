"""The first refusal of a model's query: a real parser reads it, and all but one plain SELECT is refused.

Everything is an allow-list: characters, kinds of syntax, functions, tables. What the parser reads otherwise than
SQLite does is not decided here: the database refuses again, and relies on nothing that was found here.

It runs in the query's own process. Two hundred characters can keep the parser busy for minutes
(`STRUCT(STRUCT(STRUCT(...`, sqlglot 30), and nothing but a process can be ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from fourfold.errors import ConfigError
from fourfold.model.sandbox import FUNCTIONS

if TYPE_CHECKING:
    # Not in the query's process, which starts anew for each query and has no use for them.
    from sqlglot import Expr

    from fourfold.catalog.build import BuiltCatalog
    from fourfold.ports.sandbox import QueryRunner

__all__ = ["MAX_SOURCES", "queries_for", "refusal"]

MAX_SOURCES = 32
"""Views that a query may read from once its WITH parts are written out where they are used: each use counts.

Without a bound, thirty parts that each read the one before twice are a billion reads in a thousand characters.
"""

_MAX_DEPTH = 24
_MAX_NODES = 1_500
_MAX_TRIED = 4 * _MAX_NODES
"""Nodes that the parser may make until it is done; it reads the arguments of some functions twice on each level."""

_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]""")
"""Literals and quoted names: what may hold any character."""

_PLAIN = re.compile(r"(?:(?!--|/\*)[A-Za-z0-9_ \t\r\n,.()*+/%<>=!|&~;-])*")
"""What may stand outside of them: no comment, no parameter, no quote that is never closed."""

_CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_SYNTAX = frozenset({
    "Add", "Alias", "And", "Between", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "Boolean", "Case", "Cast", "Collate",
    "Column", "CTE", "DataType", "DataTypeParam", "Distinct", "Div", "DPipe", "EQ", "Escape", "Except", "Exists",
    "Filter", "From", "Group", "GT", "GTE", "Having", "Identifier", "In", "Intersect", "Is", "Join", "Limit",
    "Literal", "LT", "LTE", "Mod", "Mul", "Neg", "NEQ", "Not", "Null", "NullSafeEQ", "NullSafeNEQ", "Offset", "Or",
    "Order", "Ordered", "Paren", "Select", "Star", "Sub", "Subquery", "Table", "TableAlias", "Tuple", "Union", "Var",
    "Where", "Window", "WindowSpec", "With",
})  # fmt: skip
"""Kinds of syntax, as the parser calls them, that a SELECT may be made of."""

_CALLS = frozenset({
    "Abs", "Anonymous", "Avg", "Coalesce", "Count", "CumeDist", "CurrentDate", "CurrentTime", "CurrentTimestamp",
    "Date", "DenseRank", "FirstValue", "Glob", "Greatest", "GroupConcat", "If", "Lag", "LastValue", "Lead", "Least",
    "Length", "Like", "Lower", "Max", "Min", "NthValue", "Ntile", "Nullif", "PercentRank", "Rank", "Replace", "Round",
    "RowNumber", "Sign", "StrPosition", "Substring", "Sum", "TimeToStr", "Trim", "TsOrDsToTimestamp", "Typeof",
    "Upper",
})  # fmt: skip
"""What it makes of the calls of `FUNCTIONS`; those that it has no kind for are `Anonymous`, and looked at by name."""

_CALLABLE = f"functions: {', '.join(sorted(FUNCTIONS))}"
_CLAUSES = "SELECT with WITH, WHERE, JOIN, GROUP BY, HAVING, WINDOW, ORDER BY, LIMIT"
_ONE_SELECT = "one SELECT statement of SQLite without comments and parameters"


def refusal(sql: str, *, readable: Sequence[str], max_text: int) -> str | None:
    """What would be accepted instead of `sql`; `None` if it is one SELECT over the readable views.

    It repeats nothing of the query. Needs the extra `fourfold[sandbox]`.
    """
    return _text_problem(sql, max_text=max_text) or _statement_problem(sql, readable)


def queries_for(catalog: BuiltCatalog, runner: QueryRunner) -> QueryRunner | None:
    """`runner` if a tool of `catalog` runs queries, else `None`.

    Raises:
        ConfigError: one does, and the parser is not installed.
    """
    names = [name for name, tool in catalog.tools.items() if tool.contract.sandbox is not None]
    if not names:
        return None
    if find_spec("sqlglot") is None:
        raise ConfigError(f"{', '.join(names)}: a Sandbox needs an SQL parser: pip install fourfold[sandbox]")
    return runner


def _text_problem(sql: str, *, max_text: int) -> str | None:
    """What would be accepted instead of a text that no parser needs to see; `None` if there is nothing wrong."""
    if len(sql) > max_text:
        return f"a query of at most {max_text:,} characters"
    outside = _QUOTED.sub(" x ", sql)
    if _CONTROL.search(sql) or not _PLAIN.fullmatch(outside):
        return _ONE_SELECT
    if ";" in outside.rstrip().removesuffix(";"):
        return "one statement"
    if not outside.lstrip().lower().startswith(("select", "with")):
        return "a statement that begins with SELECT or WITH"
    return f"at most {_MAX_DEPTH} levels of brackets" if _depth(outside) > _MAX_DEPTH else None


def _depth(text: str) -> int:
    """The deepest level of brackets."""
    level = deepest = 0
    for character in text:
        level += (character == "(") - (character == ")")
        deepest = max(deepest, level)
    return deepest


def _statement_problem(sql: str, readable: Sequence[str]) -> str | None:
    """What would be accepted instead of the statement; `None` if there is nothing wrong."""
    statement = _parsed(sql)
    if statement is None:
        return _ONE_SELECT
    nodes = list(statement.walk())
    if len(nodes) > _MAX_NODES:
        return "a shorter query"
    if _has_quoted_column(nodes):
        return "names of columns without quotes, text in single quotes"
    if not all(_kind(node) in _SYNTAX | _CALLS and not _is_strange(node) for node in nodes):
        return f"{_CLAUSES}; {_sources(readable)}; {_CALLABLE}"
    if any(_kind(node) == "Anonymous" and node.name.lower() not in FUNCTIONS for node in nodes):
        return _CALLABLE
    return _source_problem(statement, readable)


def _parsed(sql: str) -> Expr | None:
    """The one statement in `sql`, or `None` if the parser cannot read it."""
    from sqlglot import parse

    try:
        found = [statement for statement in parse(sql, read="sqlite", max_nodes=_MAX_TRIED) if statement is not None]
    except Exception:  # whatever a text does to the parser, it is a text that is not run
        return None
    return found[0] if len(found) == 1 else None


def _kind(node: Expr) -> str:
    return type(node).__name__


def _sources(readable: Sequence[str]) -> str:
    return f"only these views: {', '.join(readable)}"


def _is_strange(node: Expr) -> bool:
    """Whether a known kind of syntax is used in a way that says more than its kind."""
    used = {name for name, value in node.args.items() if value}
    match _kind(node):
        case "Table":
            # No schema, no function in place of a name, no index, no sample.
            return bool(used - {"this", "alias", "joins"}) or _kind(node.this) != "Identifier"
        case "Column":
            return bool(used - {"this", "table"})
        case "In":
            # `x IN name` reads a table by a name that is not among the tables here.
            return "field" in used or "unnest" in used
        case "With":
            return "recursive" in used
        case "Star":
            return bool(used)
        case _:
            return False


def _has_quoted_column(nodes: Sequence[Expr]) -> bool:
    """Whether a quoted name stands alone where a column is read: SQLite makes a text of one that it does not know."""
    given = {node.alias.lower() for node in nodes if _kind(node) == "Alias"}
    columns = [node for node in nodes if _kind(node) == "Column" and not node.args.get("table")]
    return any(node.this.args.get("quoted") and node.name.lower() not in given for node in columns)


def _source_problem(statement: Expr, readable: Sequence[str]) -> str | None:
    """What would be accepted instead of what the statement reads from."""
    if _kind(statement) not in {"Select", "Union", "Except", "Intersect"}:
        return _ONE_SELECT
    outer = statement.args.get("with_")
    if any(_kind(node) == "With" and node is not outer for node in statement.walk()):
        return "WITH only at the beginning"
    reads = dict.fromkeys((view.lower() for view in readable), 1)
    for part in outer.expressions if outer else ():
        name, total = part.alias.lower(), _reads(part, reads)
        if not _NAME.fullmatch(name) or name in reads:
            return "WITH names that differ from each other and from the views"
        if total is None:
            return f"{_sources(readable)}, and WITH names that come before"
        reads[name] = total
    if outer:
        outer.pop()
    total = _reads(statement, reads)
    if total is None:
        return _sources(readable)
    return f"at most {MAX_SOURCES} uses of views, counting each use of a WITH name" if total > MAX_SOURCES else None


def _reads(part: Expr, known: dict[str, int]) -> int | None:
    """How often views are read for `part`, at least once; `None` if it reads something else."""
    names = list(_tables(part))
    return max(1, sum(known[name] for name in names)) if known.keys() >= set(names) else None


def _tables(part: Expr) -> Iterator[str]:
    yield from (node.name.lower() for node in part.walk() if _kind(node) == "Table")
