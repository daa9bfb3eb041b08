"""Predictions: made once, saved as they come, scored as often as wanted."""
