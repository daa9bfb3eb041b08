-- Who asked, how, and which runs are of one claim; words, sources and tags to search runs by.
-- `claim_key` and `unpacked` are functions of service.state.functions.
ALTER TABLE runs ADD COLUMN asked_by TEXT; -- a key's name, or a name from a trusted proxy; NULL: not known
ALTER TABLE runs ADD COLUMN via TEXT; -- page, rest, chat, batch, mcp, cli, recheck; NULL: not known
ALTER TABLE runs ADD COLUMN claim_key TEXT NOT NULL DEFAULT ''; -- shared by repeats of one claim
ALTER TABLE runs ADD COLUMN replay_of TEXT; -- the run that was done again
UPDATE runs SET claim_key = claim_key(text);
CREATE INDEX runs_by_claim ON runs (claim_key, created_at DESC, run_id DESC);
CREATE INDEX runs_by_person ON runs (asked_by, created_at DESC, run_id DESC);
CREATE INDEX runs_by_verdict ON runs (verdict, created_at DESC, run_id DESC);

CREATE TABLE run_words (
    number INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE REFERENCES runs (run_id) ON DELETE CASCADE,
    words TEXT NOT NULL -- what was asked, and the answer
);
CREATE VIRTUAL TABLE runs_fts USING fts5 (
    words, content = 'run_words', content_rowid = 'number', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER run_words_added AFTER INSERT ON run_words BEGIN
    INSERT INTO runs_fts (rowid, words) VALUES (new.number, new.words);
END;
CREATE TRIGGER run_words_removed AFTER DELETE ON run_words BEGIN
    INSERT INTO runs_fts (runs_fts, rowid, words) VALUES ('delete', old.number, old.words);
END;
INSERT INTO run_words (run_id, words)
    SELECT run_id, text || char(10) || coalesce(json_extract(unpacked(result), '$.answer'), '') FROM runs;

CREATE TABLE run_sources (
    source TEXT NOT NULL COLLATE NOCASE,
    run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    PRIMARY KEY (source, run_id)
) WITHOUT ROWID;
CREATE INDEX run_sources_by_run ON run_sources (run_id);
INSERT OR IGNORE INTO run_sources (source, run_id)
    SELECT json_extract(one.value, '$.source'), run_id
    FROM runs, json_each(unpacked(result), '$.references') AS one
    WHERE json_extract(one.value, '$.source') IS NOT NULL;

CREATE TABLE run_tags (
    tag TEXT NOT NULL COLLATE NOCASE,
    run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    PRIMARY KEY (tag, run_id)
) WITHOUT ROWID;
CREATE INDEX run_tags_by_run ON run_tags (run_id);
