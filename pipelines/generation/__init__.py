"""Answers: extractive, or from a chat model behind one contract; prompts, evidence prompts and replies."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
