"""From sentences to a verdict: selection, entailment by article, corrections, the verdict itself."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
