-- Results of selection suites: sums by tool, and which tool was taken for which. Answers stay in the files of the runs.
CREATE TABLE fourfold_selection (
    result_id TEXT COLLATE "C" PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    name TEXT NOT NULL,
    suite TEXT COLLATE "C" NOT NULL,
    suite_digest TEXT NOT NULL,
    chooser TEXT NOT NULL,
    models TEXT NOT NULL,
    catalog TEXT NOT NULL,
    rule TEXT NOT NULL,
    facts TEXT NOT NULL,
    cases BIGINT NOT NULL,
    cases_right BIGINT NOT NULL
);
CREATE INDEX fourfold_selection_at ON fourfold_selection (at_ms);
CREATE INDEX fourfold_selection_suite ON fourfold_selection (suite, at_ms);

CREATE TABLE fourfold_selection_tool (
    result_id TEXT COLLATE "C" NOT NULL REFERENCES fourfold_selection (result_id) ON DELETE CASCADE,
    tool TEXT COLLATE "C" NOT NULL,
    version TEXT NOT NULL,
    cases BIGINT NOT NULL,
    cases_right BIGINT NOT NULL,
    samples BIGINT NOT NULL,
    passed BIGINT NOT NULL,
    exact BIGINT,
    lenient BIGINT,
    wrong_tool BIGINT NOT NULL,
    no_call BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    forbidden BIGINT NOT NULL,
    authority BIGINT NOT NULL,
    reasons TEXT NOT NULL,
    PRIMARY KEY (result_id, tool)
);

CREATE TABLE fourfold_selection_pair (
    result_id TEXT COLLATE "C" NOT NULL REFERENCES fourfold_selection (result_id) ON DELETE CASCADE,
    wanted TEXT COLLATE "C" NOT NULL,
    got TEXT COLLATE "C" NOT NULL,
    samples BIGINT NOT NULL,
    PRIMARY KEY (result_id, wanted, got)
);
