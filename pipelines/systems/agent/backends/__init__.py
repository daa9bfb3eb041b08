"""Search backends behind one contract."""
