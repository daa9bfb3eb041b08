"""Measures of labels and of the probabilities given with them."""
