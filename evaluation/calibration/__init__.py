"""Calibration: programs that fit what a model's scores are worth, and store it beside the model."""
