"""Articles out of saved pages."""
