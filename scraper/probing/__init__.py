"""Looks at a site before it is crawled, without a crawl: its robots.txt, its sitemaps, a first publisher file."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
