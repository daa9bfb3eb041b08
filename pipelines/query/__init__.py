"""What is asked: question or statement, its bounds, filters, and what the index covers of them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
