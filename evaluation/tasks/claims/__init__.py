"""Claims of whole texts: found at the sentence, and judged."""
