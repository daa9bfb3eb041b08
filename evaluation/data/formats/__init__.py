"""Data sets as others write them: one reader a format, errors with file and line."""
