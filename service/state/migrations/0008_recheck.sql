-- The state of the index that a check's quoted articles were last compared with; NULL: never compared.
ALTER TABLE checks ADD COLUMN compared_snapshot TEXT;
CREATE INDEX changes_open ON changes (number) WHERE settled_at IS NULL;
