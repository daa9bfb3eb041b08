"""Nothing of a build goes to the hub, and the libraries draw no bars between the lines that a build says."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import datasets
import transformers
from huggingface_hub import constants

_SWITCHES = ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY")
"""No fetching; no reports of use, which TRL sends otherwise."""


@contextmanager
def offline_and_quiet() -> Iterator[None]:
    """Keep the hub's library, and all that build on it, from the network and from drawing for a while."""
    before = {name: getattr(constants, name) for name in _SWITCHES}
    bars = transformers.utils.logging.is_progress_bar_enabled()
    try:
        for name in _SWITCHES:
            setattr(constants, name, True)
        transformers.utils.logging.disable_progress_bar()
        datasets.disable_progress_bars()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # which libraries tell one another
            yield
    finally:
        for name, value in before.items():
            setattr(constants, name, value)
        if bars:
            transformers.utils.logging.enable_progress_bar()
            datasets.enable_progress_bars()
