"""Numbers, quantities, ranges, ordinals and grades in text, and whether two of them agree."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
