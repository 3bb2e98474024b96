"""The store for more than one process: PostgreSQL 15 or newer, through psycopg 3 (`pip install fourfold[postgres]`).

`store` opens it. `units` is the port; `session`, `unit`, `guard` and `transaction` are what one transaction consists
of; `watch` stops what is late, `commit` finds out about a COMMIT whose answer was lost, `trail` stores runs that are
no part of a write. `address` and `connect` are the way there, `migrate` makes the framework's tables, `role` refuses
a role that row-level security does not bind, and `join` lets claims into a transaction of your own.

**Pooler.** Nothing is kept on a connection: no prepared statements, no session settings, no session locks. A pooler
such as PgBouncer may share server connections by transaction.

**Tenants.** Each transaction that serves a caller sets `fourfold.tenant` for itself. The framework's tables have
policies for it. Your own tables get one with

    ALTER TABLE invoice ENABLE ROW LEVEL SECURITY;
    ALTER TABLE invoice FORCE ROW LEVEL SECURITY;
    CREATE POLICY own_tenant ON invoice USING (
        tenant = (SELECT current_setting('fourfold.tenant', true))
        OR (SELECT current_setting('fourfold.operator', true)) = 'on'
    );

`fourfold.operator` is on in `prepare`, which fills tables of several tenants, and never in a handler. Put these lines
into a migration of your own; SQLite does not know them. Views read as their owner: make them `WITH
(security_invoker)`.

**Handlers' role.** A statement of a handler may not name `fourfold_*` tables, SET, `set_config` and the like. This is
a guard: it reads words, and a function that the catalog itself made can hide them. With

    CREATE ROLE billing_handlers NOLOGIN;
    GRANT billing_handlers TO billing;

and `postgresql://billing@db/billing?handlers=billing_handlers`, handlers run as a role without rights on the
framework's tables, which PostgreSQL enforces. What stays a guard is that a handler's SQL cannot change its tenant or
its role. Python code of a handler is not confined by either.

**Isolation.** SQLite has one writer at a time. Here writes run REPEATABLE READ: what one has read is still so when
it changes it. If another write changed the same row meanwhile, the later one runs again, from its claim on, and sees
what is there now; so versions, counters and limits that are kept in a row hold. What it read and does not change may
have changed: a limit on a sum over rows, say, when two writes each add one. Touch a row that stands for the sum with
an UPDATE, or serve with `?isolation=serializable`, which sees that as well, and runs more of them again.

**Otherwise than SQLite.** After an error nothing more can be done in the same attempt; use ON CONFLICT in place of
catching. A placeholder takes its type from where it stands: write `CAST(? AS TEXT) IS NULL`. INTEGER has 32 bits and
BIGINT 64. Text holds no NUL character. Rows that triggers and cascades change are not counted.
"""
