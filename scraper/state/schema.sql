CREATE TABLE IF NOT EXISTS runs (
    run_id      TEXT PRIMARY KEY,
    publisher   TEXT NOT NULL,
    config      TEXT NOT NULL,               -- hash of the publisher file
    started_at  TEXT NOT NULL,
    finished_at TEXT,                        -- NULL: interrupted; the next crawl goes on with it
    sessions    INTEGER NOT NULL DEFAULT 0,  -- 1 + how often it was resumed
    seconds     REAL NOT NULL DEFAULT 0,
    requests    INTEGER NOT NULL DEFAULT 0,
    bytes       INTEGER NOT NULL DEFAULT 0,
    warnings    TEXT NOT NULL DEFAULT '[]'
);
CREATE TABLE IF NOT EXISTS sitemaps (
    publisher     TEXT NOT NULL,
    url           TEXT NOT NULL,
    depth         INTEGER NOT NULL,
    run_id        TEXT NOT NULL,             -- last run that met it
    status        TEXT NOT NULL,             -- pending, read, failed
    kind          TEXT,
    etag          TEXT,
    last_modified TEXT,
    config        TEXT,                      -- publisher file it was read with
    entries       INTEGER,                   -- that it listed when it was last read
    problem       TEXT,
    PRIMARY KEY (publisher, url)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS urls (
    id            INTEGER PRIMARY KEY,
    publisher     TEXT NOT NULL,
    key           TEXT NOT NULL,             -- one name for all variants of the address
    url           TEXT NOT NULL,
    canonical     TEXT,                      -- address that the page gives itself
    lastmod       TEXT,                      -- that the sitemap gave
    listed_at     TEXT,                      -- publication time that the sitemap gave
    status        TEXT NOT NULL DEFAULT 'pending',
    outcome       TEXT,                      -- of run_id
    reason        TEXT,
    article_id    TEXT,
    etag          TEXT,
    last_modified TEXT,
    page_hash     TEXT,                      -- of the page as it was served
    content_hash  TEXT,                      -- of headline and body
    config        TEXT,                      -- publisher file it was extracted with
    attempts      INTEGER NOT NULL DEFAULT 0, -- failures in a row
    next_due      TEXT,                      -- NULL: at the next crawl
    raw_ref       TEXT,
    fetched_at    TEXT,
    run_id        TEXT,                      -- last run that settled it
    due_run       TEXT,                      -- run that still has to fetch it
    UNIQUE (publisher, key)
);
CREATE INDEX IF NOT EXISTS urls_due ON urls (publisher, due_run, id) WHERE due_run IS NOT NULL;
CREATE INDEX IF NOT EXISTS urls_run ON urls (run_id, outcome);
CREATE INDEX IF NOT EXISTS urls_copies ON urls (publisher, article_id) WHERE status = 'duplicate';
CREATE TABLE IF NOT EXISTS variants (        -- pages whose address has marks that sites may tell articles apart by
    url_id    INTEGER PRIMARY KEY,
    publisher TEXT NOT NULL,
    normal    TEXT NOT NULL,                 -- one name for all variants of the address
    kinds     TEXT NOT NULL                  -- of its marks, with a blank before and behind each
);
CREATE INDEX IF NOT EXISTS variants_normal ON variants (publisher, normal);
CREATE TABLE IF NOT EXISTS marks (           -- what was found under addresses that differ in a kind of mark
    publisher TEXT NOT NULL,
    kind      TEXT NOT NULL,
    alike     INTEGER NOT NULL DEFAULT 0,    -- pairs of pages with one text
    unlike    INTEGER NOT NULL DEFAULT 0,    -- pairs of pages with two
    PRIMARY KEY (publisher, kind)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS aliases (         -- ids that belong to articles which kept their first one when they moved
    publisher  TEXT NOT NULL,
    alias      TEXT NOT NULL,
    article_id TEXT NOT NULL,
    PRIMARY KEY (publisher, alias)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS articles (
    publisher    TEXT NOT NULL,
    article_id   TEXT NOT NULL,
    url_id       INTEGER NOT NULL,           -- the address that it is fetched from
    revision     INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    correction   INTEGER NOT NULL,
    published_at TEXT,
    gone_at      TEXT,
    file         TEXT NOT NULL,              -- its newest line, relative to the data directory
    start        INTEGER NOT NULL,
    length       INTEGER NOT NULL,
    PRIMARY KEY (publisher, article_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blocks (          -- how a site keeps the crawler out, as long as it does
    publisher TEXT NOT NULL,
    kind      TEXT NOT NULL,                 -- login, forbidden, challenge, ...
    since     TEXT NOT NULL,                 -- first blocked answer since a page came through
    last_at   TEXT NOT NULL,
    run_id    TEXT NOT NULL,                 -- last run that met it
    answers   INTEGER NOT NULL,              -- blocked ones in a row in its last session
    PRIMARY KEY (publisher, kind)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
    path  TEXT PRIMARY KEY,                  -- relative to the data directory
    bytes INTEGER NOT NULL                   -- what lies beyond was written by a crawl that was killed
) WITHOUT ROWID;
