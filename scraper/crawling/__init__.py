"""The crawler: one process that fetches, others that extract, and the state that survives both."""
