"""Steps of lateral reading: what to ask about a text, and what other articles answer."""
