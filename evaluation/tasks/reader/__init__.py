"""The reader on its own: spans in passages."""
