CREATE TABLE fact_checks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    claim TEXT NOT NULL,
    title TEXT NOT NULL,
    verdict TEXT NOT NULL,
    url TEXT NOT NULL,
    publisher TEXT NOT NULL,
    date TEXT, -- ISO 8601 day
    claimant TEXT NOT NULL,
    check_id TEXT, -- of the desk's own check; NULL: somebody else's
    claim_hash BLOB NOT NULL, -- of the text, for its vector
    title_hash BLOB -- NULL: there is no title
);
CREATE INDEX fact_checks_by_url ON fact_checks (url);
CREATE INDEX fact_checks_by_check ON fact_checks (check_id) WHERE check_id IS NOT NULL;
CREATE INDEX fact_checks_by_claim_hash ON fact_checks (claim_hash);

CREATE VIRTUAL TABLE words USING fts5 (claim, title, tokenize = 'porter unicode61 remove_diacritics 2');

CREATE TABLE vectors (
    text_hash BLOB NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL, -- 16-bit floats of unit length
    PRIMARY KEY (text_hash, model)
) WITHOUT ROWID;

-- Grows with every change.
CREATE TABLE generation (number INTEGER NOT NULL);
INSERT INTO generation VALUES (0);
