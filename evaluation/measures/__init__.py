"""Measures: one a file, each with its definition and its source."""
