"""Verifiers: what a piece of text does to a statement; and the component that asks them."""
