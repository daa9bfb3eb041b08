"""Measures of answers: one a file."""
