-- Calls that belong together as one logical operation, and sums by the hour and the day, so that no question about a
-- month reads the runs of a month. All of it but the columns is made from the runs, and can be made again.
ALTER TABLE fourfold_run ADD COLUMN retry TEXT NOT NULL DEFAULT '';
ALTER TABLE fourfold_run ADD COLUMN tokens_definition BIGINT NOT NULL DEFAULT 0;
ALTER TABLE fourfold_run ADD COLUMN charges TEXT NOT NULL DEFAULT '[]';
ALTER TABLE fourfold_run ADD COLUMN filled TEXT NOT NULL DEFAULT '{}';

-- Runs that no sum has yet. In the transaction of the run, so that none is missed and none is counted twice.
CREATE TABLE fourfold_run_fresh (
    at_ms BIGINT NOT NULL,
    run_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (at_ms, run_id)
);
INSERT INTO fourfold_run_fresh (at_ms, run_id) SELECT at_ms, run_id FROM fourfold_run;
CREATE FUNCTION fourfold_run_is_fresh() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO fourfold_run_fresh (at_ms, run_id) VALUES (new.at_ms, new.run_id);
    RETURN NULL;
END
$$;
CREATE TRIGGER fourfold_run_is_fresh AFTER INSERT ON fourfold_run
    FOR EACH ROW EXECUTE FUNCTION fourfold_run_is_fresh();

-- Operations that another run may belong to. One that is over and has no key is in the sums alone.
CREATE TABLE fourfold_operation (
    first_run TEXT COLLATE "C" PRIMARY KEY,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    code TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    last_ms BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    awaits TEXT NOT NULL CHECK (awaits IN ('', 'retry', 'answer'))
);
CREATE INDEX fourfold_operation_awaits ON fourfold_operation (tenant, principal, tool, last_ms) WHERE awaits <> '';
CREATE INDEX fourfold_operation_key ON fourfold_operation (tenant, principal, tool, operation_id)
    WHERE operation_id <> '';
CREATE INDEX fourfold_operation_last ON fourfold_operation (last_ms);

CREATE TABLE fourfold_operation_hour (
    hour_ms BIGINT NOT NULL,
    tenant TEXT NOT NULL,
    principal TEXT NOT NULL,
    tool TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    code TEXT NOT NULL,
    operations BIGINT NOT NULL,
    retried BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    PRIMARY KEY (hour_ms, tenant, principal, tool, contract_version, code)
);
CREATE INDEX fourfold_operation_hour_tool ON fourfold_operation_hour (tool, hour_ms);

CREATE TABLE fourfold_run_day (
    day_ms BIGINT NOT NULL,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    tool TEXT NOT NULL,
    code TEXT NOT NULL,
    outcome TEXT NOT NULL,
    runs BIGINT NOT NULL,
    tokens_in BIGINT NOT NULL,
    tokens_out BIGINT NOT NULL,
    tokens_definition BIGINT NOT NULL,
    last_ms BIGINT NOT NULL,
    PRIMARY KEY (day_ms, tenant, subject, tool, code, outcome)
);
CREATE INDEX fourfold_run_day_tool ON fourfold_run_day (tool, day_ms);
CREATE INDEX fourfold_run_day_subject ON fourfold_run_day (subject, day_ms);

CREATE TABLE fourfold_charge_day (
    day_ms BIGINT NOT NULL,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    tool TEXT NOT NULL,
    code TEXT NOT NULL,
    outcome TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_minor BIGINT NOT NULL,
    PRIMARY KEY (day_ms, tenant, subject, tool, code, outcome, currency)
);

CREATE TABLE fourfold_fill_day (
    day_ms BIGINT NOT NULL,
    tenant TEXT NOT NULL,
    tool TEXT NOT NULL,
    field TEXT NOT NULL,
    results BIGINT NOT NULL,
    filled BIGINT NOT NULL,
    PRIMARY KEY (day_ms, tenant, tool, field)
);

-- As for the other tables with a tenant: the second wall, after the tenant in every query.
DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'fourfold_operation', 'fourfold_operation_hour', 'fourfold_run_day', 'fourfold_charge_day', 'fourfold_fill_day'
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
