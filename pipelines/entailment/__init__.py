"""Verifiers: what a piece of text does to a statement; and the component that asks them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
