"""Articles to passages to a searchable store."""
