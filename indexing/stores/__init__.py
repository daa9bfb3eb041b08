"""One contract (`contract.py`), an embedded store and an Elasticsearch store; `open.py` chooses by setting."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
