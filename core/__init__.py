"""
The words of Looksy as types, its errors, settings and progress events.

Everyone may import `core`; it imports nothing of ours.
"""

import os

import lazy_loader

__version__ = "0.1.0"

# Haystack and the model libraries report usage over the network unless told not to. Nothing a user typed may leave
# the machine (docs/privacy.md), so this is said here, before any of them can be imported.
os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]
