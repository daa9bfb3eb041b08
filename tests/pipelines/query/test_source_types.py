"""What the publisher files say of a source holds for its addresses, however they are written."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.query import source_types
from pipelines.query.source_types import source_type


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(source_types, "CONFIGS", tmp_path)
    source_types._types_by_host.cache_clear()
    folder = tmp_path / "publishers"
    folder.mkdir()
    yield folder
    source_types._types_by_host.cache_clear()


@pytest.mark.parametrize("host", ["\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "xn--e1afmkfd.xn--p1ai"])
@pytest.mark.parametrize(
    "asked", ["https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/a", "https://xn--e1afmkfd.xn--p1ai/a"]
)
def test_international_host_has_its_type_in_either_form(files: Path, host: str, asked: str) -> None:
    (files / "site.yaml").write_text(f"name: site\nhome: https://{host}\ntype: national_paper\n", encoding="utf-8")
    assert source_type(asked) == "national paper"


def test_file_without_a_usable_home_costs_itself_alone(files: Path) -> None:
    (files / "a.yaml").write_text("name: a\nhome:\ntype: agency\n", encoding="utf-8")
    (files / "b.yaml").write_text("name: b\nhome: 'https://[b'\ntype: agency\n", encoding="utf-8")
    (files / "c.yaml").write_text("name: c\nhome: https://c.example\ntype: agency\n", encoding="utf-8")
    assert source_type("https://www.c.example/1") == "agency"
