"""Data sets that ship with Looksy, each with its licence, and loaders of the field's formats."""
