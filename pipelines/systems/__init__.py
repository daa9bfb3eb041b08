"""The systems that a user can ask for, one folder each, and their registry."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
