"""The systems that a user can ask for, one folder each, and their registry."""
