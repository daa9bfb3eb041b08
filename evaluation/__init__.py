"""Data sets, measures, tasks and reports."""
