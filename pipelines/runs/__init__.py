"""What one run leaves: stages and times, model calls, the record, and its replay."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
