"""Checked before: fact-checks are imported, matched, and shown above a verdict."""
