"""Numbers, quantities, ranges, ordinals and grades in text, and whether two of them agree."""
