"""Haystack components, prompts and systems: from a query to a checked verdict."""
