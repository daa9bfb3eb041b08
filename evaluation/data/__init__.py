"""Data of evaluations: formats read as streams, corpora, folds by group."""
