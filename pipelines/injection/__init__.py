"""Articles and queries as data: what could steer a model is found and made harmless."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
