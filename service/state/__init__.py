"""What the service remembers, in one SQLite file: runs, approvals, feedback, API keys, jobs."""
