import os
from pathlib import Path

import pytest

from core.files import replacing


def test_what_replaces_a_file_is_on_the_disk_before_it_takes_its_name(tmp_path, monkeypatch):
    file = tmp_path / "x.json"
    flushed = []

    def sync(handle):
        flushed.append((Path(f"/proc/self/fd/{handle}").readlink(), file.exists()))

    monkeypatch.setattr(os, "fsync", sync)
    with replacing(file) as part:
        part.write_text("new")
    assert file.read_text() == "new"
    assert flushed == [(part, False), (tmp_path, True)]


def test_a_replacement_that_fails_leaves_the_old_file_alone(tmp_path):
    file = tmp_path / "x.json"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError), replacing(file) as part:
        part.write_text("new \ud83d")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x.json", "old")]
