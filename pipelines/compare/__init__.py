"""Plain code beside the model: numbers, dates, names and negation of a statement against those of a quote."""
