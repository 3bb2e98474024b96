"""Who may serve, and what a handler's own role adds to the guard."""

from __future__ import annotations

from functools import partial

import pytest

from fourfold.adapters.postgres.store import open_postgres
from fourfold.errors import ConfigError, StoreError
from fourfold.ports.units import Unit
from tests.postgres.cluster import HANDLERS, ROLE, Cluster
from tests.stores.clocks import SteppedClock
from tests.stores.domain import postgres_schema, quote, quote_names, read, write
from tests.stores.records import claim_of, scope_of

pytestmark = pytest.mark.anyio

open_here = partial(open_postgres, clock=SteppedClock())


def test_a_superuser_may_not_serve(postgres: Cluster) -> None:
    """B18: row-level security does not bind one."""
    url = postgres.store().replace(f"{ROLE}@", "postgres@")
    with pytest.raises(ConfigError, match=r"postgres is a superuser or has BYPASSRLS.*CREATE ROLE .* NOSUPERUSER"):
        open_here(url)


def test_a_role_that_bypasses_row_level_security_may_not_serve(postgres: Cluster) -> None:
    """B18: neither does it bind that one."""
    url = postgres.store()
    postgres.execute("CREATE ROLE bypasser LOGIN BYPASSRLS; GRANT CREATE, USAGE ON SCHEMA public TO bypasser")
    with pytest.raises(ConfigError, match="bypasser is a superuser or has BYPASSRLS"):
        open_here(f"postgresql://bypasser@/postgres?{url.partition('?')[2].partition('&')[0]}")


@pytest.mark.parametrize("change", ["NO FORCE ROW LEVEL SECURITY", "DISABLE ROW LEVEL SECURITY"])
async def test_an_owner_that_its_policies_do_not_bind_may_not_serve(postgres: Cluster, change: str) -> None:
    """B18: the message is the way out."""
    url = postgres.store()
    await open_here(url).aclose()
    postgres.execute(f"ALTER TABLE fourfold_claim {change}", url=url)

    with pytest.raises(ConfigError, match=r"fourfold_claim does not bind the role app: ALTER TABLE .* FORCE") as caught:
        open_here(url)
    postgres.execute(str(caught.value).partition("app: ")[2], url=url)
    await open_here(url).aclose()


async def test_a_policy_of_ones_own_that_does_not_bind_its_owner_is_told(postgres: Cluster) -> None:
    """B18: with a role for handlers it binds them, and nothing has to be forced."""
    url = postgres.store()
    store = open_here(url)
    await store.units.prepare(postgres_schema)
    await store.aclose()
    postgres.execute("ALTER TABLE quote ENABLE ROW LEVEL SECURITY", url=url)

    with pytest.raises(ConfigError, match="row-level security of quote does not bind the role app"):
        open_here(url)
    await open_here(f"{url}&handlers={HANDLERS}").aclose()


async def test_a_role_without_rights_on_our_tables_is_told_what_to_grant(postgres: Cluster) -> None:
    """B18: one role may make the tables and another one serve."""
    url = postgres.store()
    await open_here(url).aclose()
    postgres.execute("CREATE ROLE guest LOGIN")
    as_guest = url.replace(f"{ROLE}@", "guest@")
    postgres.execute(f"GRANT USAGE ON SCHEMA {url.rpartition('%3D')[2]} TO guest")
    postgres.execute("GRANT SELECT ON fourfold_migration TO guest", url=url)

    with pytest.raises(ConfigError, match=r"GRANT SELECT, INSERT, UPDATE, DELETE ON fourfold_.* TO guest"):
        open_here(as_guest)


@pytest.mark.parametrize(
    ("handlers", "told"),
    [
        ("nobody_at_all", "handlers cannot run as nobody_at_all: CREATE ROLE nobody_at_all NOLOGIN; GRANT"),
        ("postgres", "postgres is a superuser"),
        (ROLE, f"the role {ROLE} has rights on the framework's tables"),
    ],
)
def test_handlers_run_only_as_a_role_that_is_less(postgres: Cluster, handlers: str, told: str) -> None:
    """B4: one that has no rights on the framework's tables."""
    with pytest.raises(ConfigError, match=told):
        open_here(postgres.store(handlers=handlers))


def test_handlers_that_do_not_find_the_tables_are_told(postgres: Cluster) -> None:
    """B4: a schema that they may not use is none for them."""
    url = postgres.store(handlers=HANDLERS)
    schema = url.partition("%3D")[2].partition("&")[0]
    postgres.execute(f"REVOKE USAGE ON SCHEMA {schema} FROM {HANDLERS}")

    with pytest.raises(ConfigError, match=f"GRANT USAGE ON SCHEMA {schema} TO {HANDLERS}; ALTER ROLE {ROLE} SET"):
        open_here(url)


HIDDEN = """
CREATE FUNCTION peek() RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE found BIGINT;
BEGIN
    EXECUTE 'SELECT count(*) FROM fourfold' || '_claim' INTO found;
    RETURN found;
END
$$
"""
"""What a guard that reads words cannot see."""


@pytest.mark.parametrize(("options", "walled"), [({}, False), ({"handlers": HANDLERS}, True)])
async def test_a_function_that_hides_our_tables_meets_a_wall_only_with_a_role_for_handlers(
    postgres: Cluster, options: dict[str, str], walled: bool
) -> None:
    """B4: what is a guard and what is a wall, as the documentation says."""
    store = open_here(postgres.store(**options))
    await store.units.prepare(postgres_schema)
    await store.units.prepare(lambda unit: unit.execute(HIDDEN))

    def peek(unit: Unit) -> object:
        return unit.row("SELECT peek() AS claims")

    if walled:
        with pytest.raises(StoreError, match="permission denied for table fourfold_claim"):
            await read(store.units, peek)
    else:
        assert await read(store.units, peek) == {"claims": 0}
    await write(store.units, quote("Q-1"))
    assert await quote_names(store.units) == ["Q-1"]
    await store.aclose()


async def test_the_framework_goes_through_a_handlers_unit_with_its_own_rights(postgres: Cluster) -> None:
    """D1: an outbox, say, that a handler takes; the handler's next statement has its own rights again."""
    store = open_here(postgres.store(handlers=HANDLERS))
    await store.units.prepare(postgres_schema)

    def work(unit: Unit) -> list[object]:
        quote("Q-1")(unit)
        taken = store.claims.take(unit, claim_of(scope_of("k-1"), "op-1"))
        return [taken, unit.row("SELECT current_user = session_user AS own"), quote("Q-2")(unit)]

    assert await write(store.units, work) == [None, {"own": False}, 1]
    await store.aclose()
