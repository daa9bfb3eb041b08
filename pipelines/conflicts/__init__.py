"""What a statement and a sentence say differently, found by plain code."""
