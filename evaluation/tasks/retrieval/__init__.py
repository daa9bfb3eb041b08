"""Rankings of articles for queries."""
