"""Checks of answers: citations, quotes, and what the model says of its own answer."""
