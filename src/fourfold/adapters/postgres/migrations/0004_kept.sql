-- What contracts keep of their calls, sealed: arguments and results without secrets and personal data.
CREATE TABLE fourfold_run_kept (
    run_id TEXT COLLATE "C" PRIMARY KEY,
    tenant TEXT NOT NULL,
    purge_after_ms BIGINT NOT NULL,
    sealed TEXT NOT NULL
);
CREATE INDEX fourfold_run_kept_purge ON fourfold_run_kept (purge_after_ms);

-- As for the other tables with a tenant: the second wall, after the tenant in every query.
ALTER TABLE fourfold_run_kept ENABLE ROW LEVEL SECURITY;
ALTER TABLE fourfold_run_kept FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON fourfold_run_kept USING (
    tenant = (SELECT current_setting('fourfold.tenant', true))
    OR (SELECT current_setting('fourfold.operator', true)) = 'on'
);
