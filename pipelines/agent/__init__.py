"""Steps of the search agent: what to search next, where, and what came of it."""
