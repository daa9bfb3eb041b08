"""Uncertainty: bootstrap intervals and paired permutation tests, in numpy alone."""
