"""Predictions: made once, saved as they come, scored as often as wanted."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
