"""Answers: who makes them, many from one file, and the store that keeps every answer run."""
