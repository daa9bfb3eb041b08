"""REST: a handler validates, calls one function and serialises. Errors become HTTP in one file."""
