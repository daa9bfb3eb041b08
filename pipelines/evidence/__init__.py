"""From sentences to a verdict: selection, entailment by article, corrections, the verdict itself."""
