"""BERTScore: with the shipped embedder's weights, or with any model through the library bert-score."""
