"""Verdicts on statements."""
