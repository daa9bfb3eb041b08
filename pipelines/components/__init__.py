"""Haystack components."""
