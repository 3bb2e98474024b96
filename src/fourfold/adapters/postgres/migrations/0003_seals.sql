-- Seals over the run records: a chain of signed entries, each over a range of seq, and the hashes that tell which run
-- of a range was changed. A prune entry records that the runs of earlier days were dropped.
CREATE TABLE fourfold_seal (
    no BIGINT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('runs', 'prune')),
    previous TEXT NOT NULL,
    after_seq BIGINT NOT NULL,
    to_seq BIGINT NOT NULL,
    rows BIGINT NOT NULL,
    root TEXT NOT NULL,
    form BIGINT NOT NULL,
    day_ms BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    kid TEXT NOT NULL,
    signature TEXT NOT NULL
);
CREATE INDEX fourfold_seal_to ON fourfold_seal (to_seq);
CREATE FUNCTION fourfold_seal_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'seals are append-only';
END
$$;
CREATE TRIGGER fourfold_seal_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON fourfold_seal
    FOR EACH STATEMENT EXECUTE FUNCTION fourfold_seal_refuses();

CREATE TABLE fourfold_seal_leaves (
    no BIGINT PRIMARY KEY,
    leaves BYTEA NOT NULL
);
