"""Checks of what an answer says: citations, verbatim quotes, grounding, support."""
