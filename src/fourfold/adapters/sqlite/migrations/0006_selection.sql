-- Results of selection suites: sums by tool, and which tool was taken for which. Answers stay in the files of the runs.
CREATE TABLE fourfold_selection (
    result_id TEXT PRIMARY KEY NOT NULL,
    at_ms INTEGER NOT NULL,
    name TEXT NOT NULL,
    suite TEXT NOT NULL,
    suite_digest TEXT NOT NULL,
    chooser TEXT NOT NULL,
    models TEXT NOT NULL,
    catalog TEXT NOT NULL,
    rule TEXT NOT NULL,
    facts TEXT NOT NULL,
    cases INTEGER NOT NULL,
    cases_right INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX fourfold_selection_at ON fourfold_selection (at_ms);
CREATE INDEX fourfold_selection_suite ON fourfold_selection (suite, at_ms);

CREATE TABLE fourfold_selection_tool (
    result_id TEXT NOT NULL REFERENCES fourfold_selection (result_id) ON DELETE CASCADE,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    cases INTEGER NOT NULL,
    cases_right INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    passed INTEGER NOT NULL,
    exact INTEGER,
    lenient INTEGER,
    wrong_tool INTEGER NOT NULL,
    no_call INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    forbidden INTEGER NOT NULL,
    authority INTEGER NOT NULL,
    reasons TEXT NOT NULL,
    PRIMARY KEY (result_id, tool)
) WITHOUT ROWID;

CREATE TABLE fourfold_selection_pair (
    result_id TEXT NOT NULL REFERENCES fourfold_selection (result_id) ON DELETE CASCADE,
    wanted TEXT NOT NULL,
    got TEXT NOT NULL,
    samples INTEGER NOT NULL,
    PRIMARY KEY (result_id, wanted, got)
) WITHOUT ROWID;
