-- What contracts keep of their calls, sealed: arguments and results without secrets and personal data.
CREATE TABLE fourfold_run_kept (
    run_id TEXT PRIMARY KEY NOT NULL,
    tenant TEXT NOT NULL,
    purge_after_ms INTEGER NOT NULL,
    sealed TEXT NOT NULL
);
CREATE INDEX fourfold_run_kept_purge ON fourfold_run_kept (purge_after_ms);
