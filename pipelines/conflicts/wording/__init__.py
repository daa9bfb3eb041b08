"""Opposites, negation, modality, quantifiers and swapped words."""
