"""Dates, days and years in text, and whether two of them can be the same."""
