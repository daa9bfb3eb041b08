import os

import pytest

from core.errors import StoreLockedError
from core.locks import process_lock


def test_who_comes_second_is_told_who_does_what_where(tmp_path):
    path = tmp_path / "corpora" / "making.lock"
    options = {"doing": "indexing the corpus", "hint": "Wait."}
    with process_lock(path, **options), pytest.raises(StoreLockedError) as caught, process_lock(path, **options):
        pytest.fail("two have the lock")
    assert caught.value.message == f"process {os.getpid()} is indexing the corpus in {path.parent}"
    assert caught.value.hint == "Wait."
    with process_lock(path, **options):
        assert path.read_text() == str(os.getpid())
