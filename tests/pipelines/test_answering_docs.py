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


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_documented(name: str) -> None:
    reference = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    assert f"| `{name}` |" in reference
    assert f"`LOOKSY_{name.upper()}`" in reference
