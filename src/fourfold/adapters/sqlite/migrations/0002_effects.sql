-- What effects need beyond one transaction: leases and fences, plans and decisions, the outbox, handles, budgets and
-- the audit. Only running and unknown claims have a lease.
ALTER TABLE fourfold_claim ADD COLUMN effect_class TEXT NOT NULL DEFAULT 'local'
    CHECK (effect_class IN ('local', 'external_keyed', 'external_probe', 'external_blind'));
ALTER TABLE fourfold_claim ADD COLUMN fence INTEGER NOT NULL DEFAULT 1;
ALTER TABLE fourfold_claim ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE fourfold_claim ADD COLUMN lease_until_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fourfold_claim ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1;
ALTER TABLE fourfold_claim ADD COLUMN recovery_point TEXT NOT NULL DEFAULT '';
ALTER TABLE fourfold_claim ADD COLUMN contract_version TEXT NOT NULL DEFAULT '';
CREATE INDEX fourfold_claim_lease ON fourfold_claim (lease_until_ms) WHERE state = 'running';
CREATE INDEX fourfold_claim_purge ON fourfold_claim (purge_after_ms) WHERE state IN ('done', 'failed', 'tombstone');
CREATE INDEX fourfold_claim_unknown ON fourfold_claim (tenant) WHERE state = 'unknown';

CREATE TABLE fourfold_plan (
    plan_id TEXT PRIMARY KEY NOT NULL,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    wire_digest TEXT NOT NULL,
    arguments TEXT NOT NULL,
    versions TEXT NOT NULL,
    impact TEXT NOT NULL,
    digest TEXT NOT NULL,
    approval TEXT NOT NULL CHECK (approval IN ('none', 'caller', 'second_person')),
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'approved', 'denied', 'revoked', 'used')),
    used_by TEXT UNIQUE,
    CHECK ((state = 'used') = (used_by IS NOT NULL))
) WITHOUT ROWID;
CREATE INDEX fourfold_plan_tenant ON fourfold_plan (tenant, created_ms);
CREATE INDEX fourfold_plan_expires ON fourfold_plan (expires_ms);

CREATE TABLE fourfold_decision (
    seq INTEGER PRIMARY KEY,
    plan_id TEXT NOT NULL,
    approver TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('approved', 'denied', 'revoked')),
    digest TEXT NOT NULL,
    channel TEXT NOT NULL,
    comment TEXT NOT NULL,
    at_ms INTEGER NOT NULL
);
CREATE INDEX fourfold_decision_plan ON fourfold_decision (plan_id);

CREATE TABLE fourfold_message (
    message_id TEXT PRIMARY KEY NOT NULL,
    tenant TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    topic TEXT NOT NULL,
    dedupe_key TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    next_ms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'dead')),
    attempts INTEGER NOT NULL DEFAULT 0,
    sent_ms INTEGER,
    error TEXT NOT NULL DEFAULT '',
    UNIQUE (tenant, dedupe_key)
) WITHOUT ROWID;
CREATE INDEX fourfold_message_due ON fourfold_message (next_ms) WHERE state = 'waiting';
CREATE INDEX fourfold_message_sent ON fourfold_message (sent_ms) WHERE state = 'sent';

CREATE TABLE fourfold_handle (
    handle_id TEXT PRIMARY KEY NOT NULL,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    purpose TEXT NOT NULL,
    resource TEXT NOT NULL,
    version TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    revoked_ms INTEGER
) WITHOUT ROWID;
CREATE INDEX fourfold_handle_expires ON fourfold_handle (expires_ms);

CREATE TABLE fourfold_budget (
    name TEXT PRIMARY KEY NOT NULL,
    window_ms INTEGER NOT NULL,
    used INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE fourfold_audit (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    about TEXT NOT NULL,
    reason TEXT NOT NULL
);
CREATE INDEX fourfold_audit_about ON fourfold_audit (about);
CREATE TRIGGER fourfold_audit_kept BEFORE DELETE ON fourfold_audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
CREATE TRIGGER fourfold_audit_fixed BEFORE UPDATE ON fourfold_audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
