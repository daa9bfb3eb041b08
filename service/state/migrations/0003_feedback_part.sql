-- Of a result with parts, which part a reader's word is on, from 1; NULL: the result as a whole.
ALTER TABLE feedback ADD COLUMN part INTEGER;
