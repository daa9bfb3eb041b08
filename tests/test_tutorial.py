"""The page docs/tutorial.md runs as it is written."""

import re

import pytest

from core.paths import ROOT

PAGE = ROOT / "docs" / "tutorial.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="docs are part of the checkout only")


def test_the_tutorial_goes_from_a_page_to_a_checked_quote(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names = {"data_dir": tmp_path}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert len(blocks) == 4
    assert names["result"].verdict == "refuted"
    assert "48 million crowns" in names["quote"].text
