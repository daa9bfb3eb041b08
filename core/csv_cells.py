"""Cells of CSV that no spreadsheet takes for a formula."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""What makes a spreadsheet run a cell, at its beginning or behind spaces (OWASP, CSV injection)."""


def safe_cell(value: object) -> object:
    """Return a value as a cell: a text that would be a formula gets an apostrophe before it; None is empty."""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value
