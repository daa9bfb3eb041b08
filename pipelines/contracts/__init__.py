"""What every room may import: evidence and drafts, and the protocols of verifiers, generators and systems."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
