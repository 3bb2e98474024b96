-- The framework's own tables. Every name begins with fourfold_, which handlers have no access to.
-- No STRICT tables and no RETURNING, so that SQLite 3.34 will do.

-- One row, counted up in every write transaction: tells after a failed COMMIT whether it took place.
CREATE TABLE fourfold_writer (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    group_no INTEGER NOT NULL
);
INSERT INTO fourfold_writer (id, group_no) VALUES (1, 0);

-- The idempotency record of each operation.
CREATE TABLE fourfold_claim (
    operation_id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'unknown', 'tombstone')),
    run_id TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    purge_after_ms INTEGER NOT NULL,
    outcome TEXT,
    settled_ms INTEGER,
    UNIQUE (tenant, principal, tool, idempotency_key)
);
CREATE INDEX fourfold_claim_twin ON fourfold_claim (tenant, principal, tool, fingerprint, created_ms);

-- The record of each call. Indexes end in at_ms and, implicitly, seq: newest first without sorting.
CREATE TABLE fourfold_run (
    seq INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    at_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    caller TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    wire_digest TEXT NOT NULL,
    lock_digest TEXT NOT NULL,
    subject TEXT NOT NULL,
    outcome TEXT NOT NULL,
    code TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    replayed INTEGER NOT NULL CHECK (replayed IN (0, 1)),
    transport TEXT NOT NULL,
    revision TEXT NOT NULL,
    client TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL,
    stage_us TEXT NOT NULL,
    bytes_in INTEGER NOT NULL,
    bytes_out INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    arguments_digest TEXT NOT NULL,
    counted TEXT NOT NULL,
    reference TEXT NOT NULL,
    note TEXT NOT NULL
);
CREATE INDEX fourfold_run_at ON fourfold_run (at_ms);
CREATE INDEX fourfold_run_tenant ON fourfold_run (tenant, at_ms);
CREATE INDEX fourfold_run_subject ON fourfold_run (subject, at_ms);
CREATE INDEX fourfold_run_tool ON fourfold_run (tool, at_ms);
CREATE INDEX fourfold_run_failed ON fourfold_run (at_ms) WHERE outcome NOT IN ('done', 'needs_input');
CREATE INDEX fourfold_run_reference ON fourfold_run (reference) WHERE reference <> '';

-- What is known of a run only after its transaction. No foreign key: a run may have been dropped under load.
CREATE TABLE fourfold_run_closing (
    run_id TEXT PRIMARY KEY NOT NULL,
    total_us INTEGER NOT NULL,
    delivered INTEGER NOT NULL CHECK (delivered IN (0, 1))
) WITHOUT ROWID;

-- Declared output values, one row for each time one was returned.
CREATE TABLE fourfold_run_count (
    run_id TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    tool TEXT NOT NULL,
    tenant TEXT NOT NULL,
    at_ms INTEGER NOT NULL
);
CREATE INDEX fourfold_run_count_at ON fourfold_run_count (at_ms);
CREATE INDEX fourfold_run_count_tenant ON fourfold_run_count (tenant, at_ms);
CREATE INDEX fourfold_run_count_tool ON fourfold_run_count (tool, at_ms);
