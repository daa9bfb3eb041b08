"""Training data: packs, the sources that turn them into examples, and the mixture of a recipe."""
