-- Sums that pages are drawn from, so that none of them reads the runs: traffic by the hour, by tool and by account,
-- how long calls took, failures with who saw them first and last, and declared values by the day. All of it is made
-- from the runs in the background, and can be made again.

-- Each table with the keys that some question needs, and no more: the fewer keys, the fewer rows.
CREATE TABLE fourfold_run_hour (
    hour_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    outcome TEXT NOT NULL,
    runs INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_definition INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    PRIMARY KEY (hour_ms, tenant, tool, contract_version, outcome)
) WITHOUT ROWID;

CREATE TABLE fourfold_tool_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    code TEXT NOT NULL,
    outcome TEXT NOT NULL,
    runs INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_definition INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, tool, contract_version, code, outcome)
) WITHOUT ROWID;

CREATE TABLE fourfold_account_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    outcome TEXT NOT NULL,
    runs INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_definition INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, subject, outcome)
) WITHOUT ROWID;

-- Calls by how long they took: the numbers of the buckets are those of `runs.latency.BOUNDS_US`.
CREATE TABLE fourfold_latency_hour (
    hour_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (hour_ms, tenant, tool, contract_version, bucket)
) WITHOUT ROWID;

CREATE TABLE fourfold_latency_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, tool, contract_version, bucket)
) WITHOUT ROWID;

CREATE TABLE fourfold_operation_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    code TEXT NOT NULL,
    operations INTEGER NOT NULL,
    retried INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, tool, contract_version, code)
) WITHOUT ROWID;

CREATE TABLE fourfold_caller_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    operations INTEGER NOT NULL,
    retried INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, principal)
) WITHOUT ROWID;

CREATE TABLE fourfold_charge_hour (
    hour_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    PRIMARY KEY (hour_ms, tenant, tool, currency)
) WITHOUT ROWID;

CREATE TABLE fourfold_failure_hour (
    hour_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    subject TEXT NOT NULL,
    tool TEXT NOT NULL,
    code TEXT NOT NULL,
    runs INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    last_run TEXT NOT NULL,
    PRIMARY KEY (hour_ms, tenant, principal, subject, tool, code)
) WITHOUT ROWID;

CREATE TABLE fourfold_count_day (
    day_ms INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    runs INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    PRIMARY KEY (day_ms, tenant, tool, field, value)
) WITHOUT ROWID;

-- Which operation a run belongs to, of operations with more than one run. The first run names its operation.
CREATE TABLE fourfold_attempt (
    run_id TEXT PRIMARY KEY NOT NULL,
    tenant TEXT NOT NULL,
    first_run TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX fourfold_attempt_first ON fourfold_attempt (first_run, at_ms);
CREATE INDEX fourfold_attempt_at ON fourfold_attempt (at_ms);

ALTER TABLE fourfold_run_day ADD COLUMN first_ms INTEGER NOT NULL DEFAULT 0;

-- Failures are few, and never part of a write, so these cost calls nothing.
CREATE INDEX fourfold_run_failed_tenant ON fourfold_run (tenant, at_ms) WHERE outcome NOT IN ('done', 'needs_input');
CREATE INDEX fourfold_run_failed_code ON fourfold_run (code, at_ms) WHERE outcome NOT IN ('done', 'needs_input');

-- The run itself has what it counted; nothing reads it from here any more.
DROP TABLE fourfold_run_count;

-- Every run that is kept is summed up again, into the new tables and the old ones.
DELETE FROM fourfold_run_fresh;
INSERT INTO fourfold_run_fresh (at_ms, run_id) SELECT at_ms, run_id FROM fourfold_run;
DELETE FROM fourfold_operation WHERE last_ms >= (SELECT min(at_ms) - min(at_ms) % 86400000 FROM fourfold_run);
DELETE FROM fourfold_operation_hour WHERE hour_ms >= (SELECT min(at_ms) - min(at_ms) % 86400000 FROM fourfold_run);
DELETE FROM fourfold_run_day WHERE day_ms >= (SELECT min(at_ms) - min(at_ms) % 86400000 FROM fourfold_run);
DELETE FROM fourfold_charge_day WHERE day_ms >= (SELECT min(at_ms) - min(at_ms) % 86400000 FROM fourfold_run);
DELETE FROM fourfold_fill_day WHERE day_ms >= (SELECT min(at_ms) - min(at_ms) % 86400000 FROM fourfold_run);
-- Days whose runs are gone have only these. Of their first run the day is known, and no version.
UPDATE fourfold_run_day SET first_ms = day_ms;
INSERT INTO fourfold_account_day
SELECT day_ms, tenant, subject, outcome, sum(runs), sum(tokens_in), sum(tokens_out), sum(tokens_definition),
    min(first_ms), max(last_ms)
FROM fourfold_run_day GROUP BY day_ms, tenant, subject, outcome;
INSERT INTO fourfold_tool_day
SELECT day_ms, tenant, tool, '', code, outcome, sum(runs), sum(tokens_in), sum(tokens_out), sum(tokens_definition),
    min(first_ms), max(last_ms)
FROM fourfold_run_day GROUP BY day_ms, tenant, tool, code, outcome;
INSERT INTO fourfold_operation_day
SELECT hour_ms - hour_ms % 86400000, tenant, tool, contract_version, code, sum(operations), sum(retried), sum(attempts)
FROM fourfold_operation_hour GROUP BY hour_ms - hour_ms % 86400000, tenant, tool, contract_version, code;
INSERT INTO fourfold_caller_day
SELECT hour_ms - hour_ms % 86400000, tenant, principal, sum(operations), sum(retried), sum(attempts)
FROM fourfold_operation_hour GROUP BY hour_ms - hour_ms % 86400000, tenant, principal;
