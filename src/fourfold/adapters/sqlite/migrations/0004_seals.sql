-- Seals over the run records: a chain of signed entries, each over a range of seq, and the hashes that tell which run
-- of a range was changed. A prune entry records that the runs of earlier days were dropped.
CREATE TABLE fourfold_seal (
    no INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('runs', 'prune')),
    previous TEXT NOT NULL,
    after_seq INTEGER NOT NULL,
    to_seq INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    root TEXT NOT NULL,
    form INTEGER NOT NULL,
    day_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    kid TEXT NOT NULL,
    signature TEXT NOT NULL
);
CREATE INDEX fourfold_seal_to ON fourfold_seal (to_seq);
CREATE TRIGGER fourfold_seal_kept BEFORE DELETE ON fourfold_seal BEGIN SELECT RAISE(ABORT, 'seals are append-only'); END;
CREATE TRIGGER fourfold_seal_fixed BEFORE UPDATE ON fourfold_seal BEGIN SELECT RAISE(ABORT, 'seals are append-only'); END;

CREATE TABLE fourfold_seal_leaves (
    no INTEGER PRIMARY KEY,
    leaves BLOB NOT NULL
);
