"""Published fact-checks: read from ClaimReview, kept in an index of their own, matched with what somebody says."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
