"""What one run leaves: stages and times, model calls, the record, and its replay."""
