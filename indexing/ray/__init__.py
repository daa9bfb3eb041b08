"""
Batch work on a Ray cluster (extra [ray]).

The process that was started reads, decides and commits; the workers do what costs time, with the functions that one
machine uses. Articles and questions travel through Ray, so only that process needs the files.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
