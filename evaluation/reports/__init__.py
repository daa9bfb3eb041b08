"""What a run comes to: one report as JSON, Markdown and a self-contained HTML page; TREC run files and LaTeX tables."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
