"""
A news site made from the bundled sample corpus, served on loopback, for the demo and the tests.

Article pages look as a news site would write them, so that crawling and extraction have real work to do.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
