-- The framework's own tables. Every name begins with fourfold_, which handlers have no access to.
-- Ids are compared byte for byte (COLLATE "C"), so that they sort here as they do everywhere else.

-- The idempotency record of each operation. Only running and unknown claims have a lease.
CREATE TABLE fourfold_claim (
    operation_id TEXT COLLATE "C" NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint BYTEA NOT NULL CHECK (octet_length(fingerprint) = 32),
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'unknown', 'tombstone')),
    run_id TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    purge_after_ms BIGINT NOT NULL,
    outcome TEXT,
    settled_ms BIGINT,
    effect_class TEXT NOT NULL DEFAULT 'local'
        CHECK (effect_class IN ('local', 'external_keyed', 'external_probe', 'external_blind')),
    fence BIGINT NOT NULL DEFAULT 1,
    owner TEXT NOT NULL DEFAULT '',
    lease_until_ms BIGINT NOT NULL DEFAULT 0,
    attempt BIGINT NOT NULL DEFAULT 1,
    recovery_point TEXT NOT NULL DEFAULT '',
    contract_version TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, principal, tool, idempotency_key)
);
CREATE INDEX fourfold_claim_twin ON fourfold_claim (tenant, principal, tool, fingerprint, created_ms);
CREATE INDEX fourfold_claim_lease ON fourfold_claim (lease_until_ms) WHERE state = 'running';
CREATE INDEX fourfold_claim_purge ON fourfold_claim (purge_after_ms) WHERE state IN ('done', 'failed', 'tombstone');
CREATE INDEX fourfold_claim_unknown ON fourfold_claim (tenant) WHERE state = 'unknown';

CREATE TABLE fourfold_plan (
    plan_id TEXT COLLATE "C" PRIMARY KEY,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    wire_digest TEXT NOT NULL,
    arguments TEXT NOT NULL,
    versions TEXT NOT NULL,
    impact TEXT NOT NULL,
    digest TEXT NOT NULL,
    approval TEXT NOT NULL CHECK (approval IN ('none', 'caller', 'second_person')),
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'approved', 'denied', 'revoked', 'used')),
    used_by TEXT UNIQUE,
    CHECK ((state = 'used') = (used_by IS NOT NULL))
);
CREATE INDEX fourfold_plan_tenant ON fourfold_plan (tenant, created_ms);
CREATE INDEX fourfold_plan_expires ON fourfold_plan (expires_ms);

CREATE TABLE fourfold_decision (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plan_id TEXT COLLATE "C" NOT NULL,
    approver TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('approved', 'denied', 'revoked')),
    digest TEXT NOT NULL,
    channel TEXT NOT NULL,
    comment TEXT NOT NULL,
    at_ms BIGINT NOT NULL
);
CREATE INDEX fourfold_decision_plan ON fourfold_decision (plan_id);

CREATE TABLE fourfold_message (
    message_id TEXT COLLATE "C" PRIMARY KEY,
    tenant TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    topic TEXT NOT NULL,
    dedupe_key TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    next_ms BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'dead')),
    attempts BIGINT NOT NULL DEFAULT 0,
    sent_ms BIGINT,
    error TEXT NOT NULL DEFAULT '',
    UNIQUE (tenant, dedupe_key)
);
CREATE INDEX fourfold_message_due ON fourfold_message (next_ms) WHERE state = 'waiting';
CREATE INDEX fourfold_message_sent ON fourfold_message (sent_ms) WHERE state = 'sent';

CREATE TABLE fourfold_handle (
    handle_id TEXT COLLATE "C" PRIMARY KEY,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    purpose TEXT NOT NULL,
    resource TEXT NOT NULL,
    version TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    revoked_ms BIGINT
);
CREATE INDEX fourfold_handle_expires ON fourfold_handle (expires_ms);

CREATE TABLE fourfold_budget (
    name TEXT PRIMARY KEY,
    window_ms BIGINT NOT NULL,
    used BIGINT NOT NULL
);

-- What transactions that must not overlap change, so that the later one runs again and sees what the first one made.
CREATE TABLE fourfold_turn (
    slot BIGINT PRIMARY KEY,
    turns BIGINT NOT NULL
) WITH (fillfactor = 20);
INSERT INTO fourfold_turn (slot, turns) SELECT slot, 0 FROM generate_series(0, 4095) AS s (slot);

CREATE TABLE fourfold_audit (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    tenant TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    about TEXT NOT NULL,
    reason TEXT NOT NULL
);
CREATE INDEX fourfold_audit_about ON fourfold_audit (about);
CREATE FUNCTION fourfold_audit_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit is append-only';
END
$$;
CREATE TRIGGER fourfold_audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON fourfold_audit
    FOR EACH STATEMENT EXECUTE FUNCTION fourfold_audit_refuses();

-- The record of each call. Indexes end in at_ms and seq: newest first without sorting.
CREATE TABLE fourfold_run (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id TEXT COLLATE "C" NOT NULL UNIQUE,
    at_ms BIGINT NOT NULL,
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
    replayed BIGINT NOT NULL CHECK (replayed IN (0, 1)),
    transport TEXT NOT NULL,
    revision TEXT NOT NULL,
    client TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL,
    stage_us TEXT NOT NULL,
    bytes_in BIGINT NOT NULL,
    bytes_out BIGINT NOT NULL,
    tokens_in BIGINT NOT NULL,
    tokens_out BIGINT NOT NULL,
    arguments_digest TEXT NOT NULL,
    counted TEXT NOT NULL,
    reference TEXT COLLATE "C" NOT NULL,
    note TEXT NOT NULL
);
CREATE INDEX fourfold_run_at ON fourfold_run (at_ms, seq);
CREATE INDEX fourfold_run_tenant ON fourfold_run (tenant, at_ms, seq);
CREATE INDEX fourfold_run_subject ON fourfold_run (subject, at_ms, seq);
CREATE INDEX fourfold_run_tool ON fourfold_run (tool, at_ms, seq);
CREATE INDEX fourfold_run_failed ON fourfold_run (at_ms, seq) WHERE outcome NOT IN ('done', 'needs_input');
CREATE INDEX fourfold_run_reference ON fourfold_run (reference) WHERE reference <> '';

-- What is known of a run only after its transaction. No foreign key: a run may have been dropped under load.
CREATE TABLE fourfold_run_closing (
    run_id TEXT COLLATE "C" PRIMARY KEY,
    total_us BIGINT NOT NULL,
    delivered BIGINT NOT NULL CHECK (delivered IN (0, 1))
);

-- Declared output values, one row for each time one was returned.
CREATE TABLE fourfold_run_count (
    run_id TEXT COLLATE "C" NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    tool TEXT NOT NULL,
    tenant TEXT NOT NULL,
    at_ms BIGINT NOT NULL
);
CREATE INDEX fourfold_run_count_at ON fourfold_run_count (at_ms);
CREATE INDEX fourfold_run_count_tenant ON fourfold_run_count (tenant, at_ms);
CREATE INDEX fourfold_run_count_tool ON fourfold_run_count (tool, at_ms);

-- The second wall between tenants; the first is the tenant in every query. FORCE binds the owner as well. Both
-- settings are made inside the transaction, so that nothing stays on a connection that others share.
DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'fourfold_claim', 'fourfold_plan', 'fourfold_message', 'fourfold_handle', 'fourfold_audit', 'fourfold_run',
        'fourfold_run_count'
    ] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY own_tenant ON %I USING (tenant = (SELECT current_setting(''fourfold.tenant'', true))'
            ' OR (SELECT current_setting(''fourfold.operator'', true)) = ''on'')',
            name
        );
    END LOOP;
END
$$;
ALTER TABLE fourfold_decision ENABLE ROW LEVEL SECURITY;
ALTER TABLE fourfold_decision FORCE ROW LEVEL SECURITY;
CREATE POLICY own_plans ON fourfold_decision USING (
    EXISTS (SELECT 1 FROM fourfold_plan WHERE fourfold_plan.plan_id = fourfold_decision.plan_id)
);
