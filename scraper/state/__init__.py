"""What the crawler remembers: one SQLite file for all publishers of a data directory."""
