-- The state of the index that a check's quoted articles were last compared with; NULL: never compared.
ALTER TABLE checks ADD COLUMN compared_snapshot TEXT;
CREATE INDEX checks_by_comparison ON checks (compared_snapshot);
CREATE INDEX changes_open ON changes (number) WHERE settled_at IS NULL;
CREATE INDEX checks_published ON checks (claim_key) WHERE published_url IS NOT NULL;
