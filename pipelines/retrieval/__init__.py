"""
Retrievers: query in, ranked passages out. One file per way of ranking.

Each takes `document_store` in its constructor, as Haystack's own retrievers do. It may be None there and be set before
the first run, so that pipeline files name no store: the engine sets the one of the settings.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
