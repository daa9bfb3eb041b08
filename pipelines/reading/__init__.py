"""Windows of passages, the readers that find spans in them, and questions about the slots of a statement."""
