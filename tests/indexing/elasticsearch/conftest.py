"""Collected only where the client is installed; says so where it is not."""

from importlib.util import find_spec

import pytest

if find_spec("elasticsearch") is None:
    pytest.skip("the extra [elasticsearch] is not installed", allow_module_level=True)
