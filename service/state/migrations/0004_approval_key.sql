-- The key with which a run was approved, for the operator; NULL: no key was asked for. It is no part of a published name.
ALTER TABLE approvals ADD COLUMN key TEXT;
