"""Claims and plans inside your own SQLAlchemy transaction, on SQLite or PostgreSQL. Does not import SQLAlchemy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from fourfold.adapters.sql.join import JoinedUnit, Ran
from fourfold.adapters.sql.statement import read_statement
from fourfold.errors import StoreError
from fourfold.ports.units import Parameters, Row

__all__ = ["join_sqlalchemy"]


class _Mappings(Protocol):
    def all(self) -> Sequence[Any]: ...


class _Result(Protocol):
    @property
    def returns_rows(self) -> bool: ...
    @property
    def rowcount(self) -> int: ...
    def mappings(self) -> _Mappings: ...


class _Dialect(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def paramstyle(self) -> str: ...


class _Connection(Protocol):
    """`sqlalchemy.Connection`, as far as it is used here."""

    @property
    def dialect(self) -> Any: ...
    def exec_driver_sql(self, statement: str, parameters: Any = None, *, execution_options: Any = None) -> Any: ...


def join_sqlalchemy(connection: _Connection, *, tenant: str) -> JoinedUnit:
    """A unit over the transaction of a `sqlalchemy.Connection`; of a `Session`, give its `connection()`.

    `tenant` is set on PostgreSQL until the transaction ends. A connection in AUTOCOMMIT must not be given: its claims
    would commit without their effect.

    Raises:
        StoreError: the dialect is neither SQLite nor PostgreSQL.
    """
    dialect: _Dialect = connection.dialect
    if dialect.name not in ("sqlite", "postgresql"):
        raise StoreError(f"the framework's tables are in SQLite or PostgreSQL, not in {dialect.name}")
    write = _WRITTEN.get(dialect.paramstyle, _as_it_is)

    def run(sql: str, parameters: Parameters) -> Ran:
        text, values = write(sql, parameters)
        try:
            result: _Result = connection.exec_driver_sql(text, values, execution_options=_COUNTING)
            rows: list[Row] = [dict(row) for row in result.mappings().all()] if result.returns_rows else []
            return Ran(0 if result.returns_rows else max(result.rowcount, 0), rows)
        except Exception as error:  # SQLAlchemy's errors have no name here, and each of them is the database's no
            raise StoreError(f"{type(error).__name__}: {error}") from error

    unit = JoinedUnit(run, one_writer=dialect.name == "sqlite")
    if dialect.name == "postgresql":
        unit.row("SELECT set_config('fourfold.tenant', ?, true)", (tenant,))
    return unit


_COUNTING = {"preserve_rowcount": True}
"""Without it SQLAlchemy does not say how many rows an INSERT made."""


def _as_it_is(sql: str, parameters: Parameters) -> tuple[str, Any]:
    return sql, dict(parameters) if isinstance(parameters, Mapping) else tuple(parameters)


def _as_format(sql: str, parameters: Parameters) -> tuple[str, Any]:
    statement = read_statement(sql)
    values = statement.values(parameters)
    return statement.formatted, tuple(values[index] for index in statement.order)


def _as_numbers(sql: str, parameters: Parameters) -> tuple[str, Any]:
    statement = read_statement(sql)
    return statement.numbered, tuple(statement.values(parameters))


_WRITTEN: dict[str, Callable[[str, Parameters], tuple[str, Any]]] = {
    "format": _as_format,
    "pyformat": _as_format,
    "numeric_dollar": _as_numbers,
}
"""How drivers for PostgreSQL want their placeholders; those for SQLite take ours."""
