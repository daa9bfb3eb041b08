"""Native libraries that live in one process: whichever part of Looksy is imported first, none crashes."""

import subprocess
import sys
from itertools import permutations

import pytest

PARTS = ("indexing.stores.open", "models.evidence", "service.app")


@pytest.mark.parametrize("order", list(permutations(PARTS)), ids="-".join)
def test_parts_can_be_imported_in_any_order(order: tuple[str, ...]) -> None:
    code = f"import importlib\nfor name in {order}: importlib.import_module(name)"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
