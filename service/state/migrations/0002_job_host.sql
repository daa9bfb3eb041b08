-- Processes have numbers of their own in every container: a number means something on its host alone.
ALTER TABLE jobs ADD COLUMN host TEXT;
