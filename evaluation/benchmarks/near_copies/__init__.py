"""Near copies of real sentences, true and false in the same wording: the generator and its readers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
