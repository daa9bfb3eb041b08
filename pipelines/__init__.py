"""Haystack components, prompts and systems: from a query to a checked verdict."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
