-- Calls that belong together as one logical operation, and sums by the hour and the day, so that no question about a
-- month reads the runs of a month. All of it but the columns is made from the runs, and can be made again.
ALTER TABLE fourfold_run ADD COLUMN retry TEXT NOT NULL DEFAULT '';
ALTER TABLE fourfold_run ADD COLUMN tokens_definition INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fourfold_run ADD COLUMN charges TEXT NOT NULL DEFAULT '[]';
ALTER TABLE fourfold_run ADD COLUMN filled TEXT NOT NULL DEFAULT '{}';

-- Runs that no sum has yet. In the transaction of the run, so that none is missed and none is counted twice.
CREATE TABLE fourfold_run_fresh (
    at_ms INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    PRIMARY KEY (at_ms, run_id)
) WITHOUT ROWID;
INSERT INTO fourfold_run_fresh (at_ms, run_id) SELECT at_ms, run_id FROM fourfold_run;
CREATE TRIGGER fourfold_run_is_fresh AFTER INSERT ON fourfold_run BEGIN
    INSERT INTO fourfold_run_fresh (at_ms, run_id) VALUES (new.at_ms, new.run_id);
END;

-- Operations that another run may belong to. One that is over and has no key is in the sums alone.
CREATE TABLE fourfold_operation (
    first_run TEXT PRIMARY KEY NOT NULL,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    code TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    awaits TEXT NOT NULL CHECK (awaits IN ('', 'retry', 'answer'))
) WITHOUT ROWID;
CREATE INDEX fourfold_operation_awaits ON fourfold_operation (tenant, principal, tool, last_ms) WHERE awaits <> '';
CREATE INDEX fourfold_operation_key ON fourfold_operation (tenant, principal, tool, operation_id)
    WHERE operation_id <> '';
CREATE INDEX fourfold_operation_last ON fourfold_operation (last_ms);

CREATE TABLE fourfold_operation_hour (
    hour_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    code TEXT NOT NULL,
    operations INTEGER NOT NULL,
    retried INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (hour_ms, tenant, principal, tool, contract_version, code)
) WITHOUT ROWID;
CREATE INDEX fourfold_operation_hour_tool ON fourfold_operation_hour (tool, hour_ms);

CREATE TABLE fourfold_run_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    tool TEXT NOT NULL,
    code TEXT NOT NULL,
    outcome TEXT NOT NULL,
    runs INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_definition INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, subject, tool, code, outcome)
) WITHOUT ROWID;
CREATE INDEX fourfold_run_day_tool ON fourfold_run_day (tool, day_ms);
CREATE INDEX fourfold_run_day_subject ON fourfold_run_day (subject, day_ms);

CREATE TABLE fourfold_charge_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    tool TEXT NOT NULL,
    code TEXT NOT NULL,
    outcome TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, subject, tool, code, outcome, currency)
) WITHOUT ROWID;

CREATE TABLE fourfold_fill_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    field TEXT NOT NULL,
    results INTEGER NOT NULL,
    filled INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, tool, field)
) WITHOUT ROWID;
