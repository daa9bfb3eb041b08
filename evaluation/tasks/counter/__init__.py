"""Replies to refuted claims by the system `counter`."""
