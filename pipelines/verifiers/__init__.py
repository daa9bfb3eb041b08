"""Verifiers behind one contract: what a piece of text does to a statement."""
