CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    system TEXT NOT NULL,
    text TEXT NOT NULL,
    status TEXT NOT NULL,
    verdict TEXT,
    result BLOB NOT NULL -- JSON of core.types.Result, zlib
);
CREATE INDEX runs_by_time ON runs (created_at DESC, run_id);

CREATE TABLE approvals (
    run_id TEXT PRIMARY KEY REFERENCES runs (run_id) ON DELETE CASCADE,
    approved_by TEXT NOT NULL,
    approved_at TEXT NOT NULL,
    note TEXT
);

CREATE TABLE feedback (
    feedback_id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    helpful INTEGER NOT NULL,
    reason TEXT
);
CREATE INDEX feedback_by_run ON feedback (run_id);

CREATE TABLE keys (
    key_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL, -- SHA-256 of a random secret of 256 bits
    scopes TEXT NOT NULL, -- separated by blanks
    created_at TEXT NOT NULL,
    revoked_at TEXT
);

CREATE TABLE jobs (
    job_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    parameters TEXT NOT NULL, -- JSON
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT,
    progress TEXT, -- JSON of core.progress.ProgressEvent
    result TEXT, -- JSON
    error TEXT, -- JSON: code, message, field, hint
    process_id INTEGER
);
CREATE INDEX jobs_by_time ON jobs (created_at DESC, job_id);
