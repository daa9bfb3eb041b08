"""Extraction: `extract.py` turns a page into an article, each other file reads one thing out of the parsed page."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
