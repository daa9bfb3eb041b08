"""Sides found by the system `perspectives`."""
