"""Checks of what an answer says: citations, verbatim quotes, grounding, support."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
