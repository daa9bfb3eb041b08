"""The crawler: one process that fetches, others that extract, and the state that survives both."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
