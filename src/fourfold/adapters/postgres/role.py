"""Refuses to serve as a role that row-level security does not bind, and as one that lacks its rights."""

from __future__ import annotations

from psycopg import sql as compose

from fourfold.adapters.postgres.address import Address
from fourfold.adapters.postgres.connect import Connection, connect
from fourfold.errors import ConfigError

__all__ = ["require_bound_role"]

OLDEST = 150_000
"""PostgreSQL 15, as its driver writes it: the oldest that is tested."""

_ROLE = """
SELECT rolsuper OR rolbypassrls AS free, current_setting('standard_conforming_strings') = 'on' AS plain
FROM pg_roles WHERE rolname = $1
"""

# An owner, and whoever inherits from one, is bound only by FORCE. Without a role for handlers they run as the owner.
_UNBOUND = """
SELECT c.relname AS name, left(c.relname, 9) = 'fourfold_' AS ours
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND (
    c.relrowsecurity AND NOT c.relforcerowsecurity AND pg_has_role($1, c.relowner, 'USAGE')
    OR NOT c.relrowsecurity AND c.relname IN (
        'fourfold_account_day', 'fourfold_attempt', 'fourfold_audit', 'fourfold_caller_day', 'fourfold_charge_day',
        'fourfold_charge_hour', 'fourfold_claim', 'fourfold_count_day', 'fourfold_decision', 'fourfold_failure_hour',
        'fourfold_fill_day', 'fourfold_handle', 'fourfold_latency_day', 'fourfold_latency_hour', 'fourfold_message',
        'fourfold_operation', 'fourfold_operation_day', 'fourfold_operation_hour', 'fourfold_plan', 'fourfold_run',
        'fourfold_run_day', 'fourfold_run_hour', 'fourfold_run_kept', 'fourfold_tool_day'
    )
)
ORDER BY c.relname LIMIT 1
"""

_LACKING = """
SELECT c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind = 'r' AND left(c.relname, 9) = 'fourfold_'
    AND NOT has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')
    AND c.relname <> 'fourfold_migration'
LIMIT 1
"""

_HANDLERS = """
SELECT pg_has_role(current_user, r.oid, 'MEMBER') AS member,
    EXISTS (
        SELECT 1 FROM pg_class AS c WHERE left(c.relname, 9) = 'fourfold_' AND c.relkind = 'r'
            AND has_table_privilege(r.oid, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
    ) AS reaches
FROM pg_roles AS r WHERE r.rolname = $1
"""


def require_bound_role(address: Address) -> None:
    """Look at the role, once the framework's tables are there.

    Raises:
        ConfigError: it may not serve; the message says what to do.
        StoreError: the database cannot be reached.
    """
    with connect(address) as connection:
        if connection.info.server_version < OLDEST:
            raise ConfigError(f"{address.shown} is older than PostgreSQL {OLDEST // 10_000}")
        user = str(_row(connection, "SELECT current_user AS name")["name"])
        _require_bound(connection, user)
        if address.handlers is not None:
            _require_handlers(connection, address.handlers, user=user)
        _require_tables_bound(connection, address.handlers or user)
        lacking = _row(connection, _LACKING)
        if lacking:
            grant = f"GRANT SELECT, INSERT, UPDATE, DELETE ON {lacking['name']} TO {user}"
            raise ConfigError(f"the role {user} lacks rights on the framework's tables: {grant}")


def _require_bound(connection: Connection, role: str) -> None:
    facts = _row(connection, _ROLE, role)
    if facts.get("free"):
        raise ConfigError(
            f"the role {role} is a superuser or has BYPASSRLS, so one tenant could reach the rows of another; "
            "serve as an ordinary role: CREATE ROLE … LOGIN NOSUPERUSER NOBYPASSRLS"
        )
    if not facts.get("plain", True):
        raise ConfigError("standard_conforming_strings is off for this database or role; turn it on")


def _require_tables_bound(connection: Connection, role: str) -> None:
    unbound = _row(connection, _UNBOUND, role)
    if unbound:
        name = unbound["name"]
        raise ConfigError(
            f"row-level security of {name} does not bind the role {role}: "
            f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY; ALTER TABLE {name} FORCE ROW LEVEL SECURITY"
        )


def _require_handlers(connection: Connection, handlers: str, *, user: str) -> None:
    _require_bound(connection, handlers)
    facts = _row(connection, _HANDLERS, handlers)
    if not facts.get("member"):
        how = f"CREATE ROLE {handlers} NOLOGIN; GRANT {handlers} TO {user}"
        raise ConfigError(f"handlers cannot run as {handlers}: {how}")
    _require_same_schema(connection, handlers, user=user)
    if facts["reaches"]:
        raise ConfigError(f"the role {handlers} has rights on the framework's tables; revoke them, or choose another")


def _require_same_schema(connection: Connection, handlers: str, *, user: str) -> None:
    """Handlers look for tables by name, as the server does: in the first schema of the path that they may use."""
    with connection.transaction(force_rollback=True):
        own = _row(connection, "SELECT current_schema() AS name")["name"]
        connection.execute(compose.SQL("SET LOCAL ROLE {}").format(compose.Identifier(handlers)))
        theirs = _row(connection, "SELECT current_schema() AS name")["name"]
    if own != theirs:
        how = f"GRANT USAGE ON SCHEMA {own} TO {handlers}; ALTER ROLE {user} SET search_path = {own}"
        raise ConfigError(f"the role {handlers} does not find the tables in the schema {own}: {how}")


def _row(connection: Connection, sql: str, *values: str) -> dict[str, object]:
    return connection.execute(sql.encode(), values).fetchone() or {}
