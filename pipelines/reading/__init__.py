"""Windows of passages, the readers that find spans in them, and questions about the slots of a statement."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
