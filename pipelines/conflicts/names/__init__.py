"""Names, places, parties and roles in text."""
