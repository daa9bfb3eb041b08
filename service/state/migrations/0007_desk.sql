-- The desk: checks, what people did with them, the articles they rest on, and what has changed since.
CREATE TABLE checks (
    number INTEGER PRIMARY KEY,
    check_id TEXT NOT NULL UNIQUE,
    run_id TEXT NOT NULL REFERENCES runs (run_id), -- the latest answer
    text TEXT NOT NULL,
    claim_key TEXT NOT NULL,
    verdict TEXT, -- what the machine says
    state TEXT NOT NULL, -- open, in_review, approved, overridden, withdrawn
    owner TEXT,
    note TEXT,
    checklist TEXT NOT NULL DEFAULT '{}', -- JSON: item to true or false
    claim_author TEXT, -- who made the claim
    claim_appearance TEXT, -- where it can be seen
    claim_date TEXT,
    published_url TEXT, -- where the newsroom published its report
    decided_verdict TEXT,
    reason_code TEXT,
    comment TEXT,
    decided_at TEXT,
    decided_by TEXT NOT NULL DEFAULT '[]', -- JSON: names, first the one who proposed it
    decided_key TEXT, -- id and name of the key that was used
    created_at TEXT NOT NULL,
    created_by TEXT,
    updated_at TEXT NOT NULL,
    updated_by TEXT,
    version INTEGER NOT NULL DEFAULT 1,
    looked_at TEXT, -- when its evidence was last compared with the index
    looked_snapshot TEXT, -- of the index at that time
    read_articles TEXT NOT NULL DEFAULT '[]' -- JSON: ids of the articles that were read for it
);
CREATE INDEX checks_by_state ON checks (state, updated_at DESC, number DESC);
CREATE INDEX checks_by_time ON checks (updated_at DESC, number DESC);
CREATE INDEX checks_by_owner ON checks (owner, updated_at DESC, number DESC);
CREATE INDEX checks_by_run ON checks (run_id);
CREATE INDEX checks_by_claim ON checks (claim_key);
CREATE INDEX checks_by_look ON checks (looked_at, number);
CREATE VIRTUAL TABLE checks_fts USING fts5 (
    text, note, comment, content = 'checks', content_rowid = 'number', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER checks_added AFTER INSERT ON checks BEGIN
    INSERT INTO checks_fts (rowid, text, note, comment) VALUES (new.number, new.text, new.note, new.comment);
END;
CREATE TRIGGER checks_removed AFTER DELETE ON checks BEGIN
    INSERT INTO checks_fts (checks_fts, rowid, text, note, comment)
        VALUES ('delete', old.number, old.text, old.note, old.comment);
END;
CREATE TRIGGER checks_changed AFTER UPDATE OF text, note, comment ON checks BEGIN
    INSERT INTO checks_fts (checks_fts, rowid, text, note, comment)
        VALUES ('delete', old.number, old.text, old.note, old.comment);
    INSERT INTO checks_fts (rowid, text, note, comment) VALUES (new.number, new.text, new.note, new.comment);
END;

CREATE TABLE check_runs ( -- every answer that a check has had
    run_id TEXT PRIMARY KEY REFERENCES runs (run_id),
    check_id TEXT NOT NULL REFERENCES checks (check_id) ON DELETE CASCADE,
    at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX check_runs_by_check ON check_runs (check_id, at);

CREATE TABLE check_history (
    number INTEGER PRIMARY KEY,
    check_id TEXT NOT NULL REFERENCES checks (check_id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    who TEXT, -- NULL: the machine
    key TEXT, -- id and name of the key that was used
    action TEXT NOT NULL,
    changes TEXT NOT NULL DEFAULT '{}', -- JSON: field to [before, after]
    run_id TEXT
);
CREATE INDEX check_history_by_check ON check_history (check_id, number);

CREATE TABLE check_articles ( -- the quoted articles of a check's latest answer
    article_id TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    check_id TEXT NOT NULL REFERENCES checks (check_id) ON DELETE CASCADE,
    origin_id TEXT NOT NULL,
    is_gone INTEGER NOT NULL DEFAULT 0, -- the page was gone when people or the machine last looked
    is_corrected INTEGER NOT NULL DEFAULT 0, -- the correction of this revision is known
    PRIMARY KEY (article_id, content_hash, check_id)
) WITHOUT ROWID;
CREATE INDEX check_articles_by_check ON check_articles (check_id);

CREATE TABLE changes (
    number INTEGER PRIMARY KEY,
    check_id TEXT NOT NULL REFERENCES checks (check_id) ON DELETE CASCADE,
    noted_at TEXT NOT NULL,
    kind TEXT NOT NULL, -- corrected, removed, revised, restored, new_evidence
    articles TEXT NOT NULL, -- JSON: what happened to each article
    old_run_id TEXT NOT NULL,
    new_run_id TEXT, -- NULL: not yet asked again
    old_verdict TEXT,
    new_verdict TEXT,
    state_before TEXT NOT NULL,
    settled_at TEXT,
    settled_by TEXT
);
CREATE INDEX changes_by_check ON changes (check_id, settled_at);
CREATE INDEX changes_unanswered ON changes (check_id) WHERE new_run_id IS NULL;

CREATE TABLE webhook_deliveries (
    number INTEGER PRIMARY KEY REFERENCES changes (number) ON DELETE CASCADE,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at TEXT NOT NULL,
    delivered_at TEXT,
    error TEXT
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE delivered_at IS NULL;

-- An approval of a run becomes an approved check.
INSERT INTO checks (check_id, run_id, text, claim_key, verdict, state, note, decided_verdict, decided_at, decided_by,
        decided_key, created_at, created_by, updated_at, updated_by)
    SELECT lower(hex(randomblob(16))), run_id, text, claim_key, verdict, 'approved', note, verdict, approved_at,
        json_array(approved_by), key, approved_at, approved_by, approved_at, approved_by
    FROM approvals JOIN runs USING (run_id);
INSERT INTO check_runs (run_id, check_id, at) SELECT run_id, check_id, created_at FROM checks;
INSERT INTO check_history (check_id, at, who, key, action, changes, run_id)
    SELECT check_id, decided_at, created_by, decided_key, 'approved',
        json_object('state', json_array(NULL, 'approved')), run_id
    FROM checks;
INSERT OR IGNORE INTO check_articles (article_id, content_hash, check_id, origin_id)
    SELECT json_extract(one.value, '$.article_id'), json_extract(quote.value, '$.content_hash'), check_id,
        coalesce(json_extract(one.value, '$.origin_id'), json_extract(one.value, '$.article_id'))
    FROM checks JOIN runs USING (run_id), json_each(unpacked(result), '$.references') AS one,
        json_each(one.value, '$.quotes') AS quote
    WHERE json_extract(quote.value, '$.content_hash') IS NOT NULL;
DROP TABLE approvals;
