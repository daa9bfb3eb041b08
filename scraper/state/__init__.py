"""What the crawler remembers: one SQLite file for all publishers of a data directory."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
