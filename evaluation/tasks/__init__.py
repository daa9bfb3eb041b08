"""What can be evaluated: one file a task."""
