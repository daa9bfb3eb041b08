import re

import pytest

from core.paths import ROOT
from core.settings import Settings

DOCS = "".join(
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("answering.md", "generators.md", "systems.md")
)


def test_every_notice_is_documented() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "pipelines").rglob("*.py"))
    codes = set(re.findall(r'Notice\(\s*code="([a-z_]+)"', source)) | set(
        re.findall(r'\("([a-z]+_[a-z_]+)", "\{\}', source)
    )
    assert len(codes) >= 12
    assert not [code for code in sorted(codes) if f"`{code}`" not in DOCS]


@pytest.mark.parametrize("name", [name for name in Settings.model_fields if name.startswith("generator")])
def test_every_generator_setting_is_documented(name: str) -> None:
    assert f"LOOKSY_{name.upper()}" in DOCS or f"`_{name.removeprefix('generator_fallback_').upper()}`" in DOCS
