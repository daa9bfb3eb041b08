"""The table of currencies is what its generator makes."""

import pytest

from pipelines.conflicts.numbers.currencies import TABLE
from training.data.currencies import header, make_table


def test_the_table_of_currencies_is_what_its_generator_makes() -> None:
    table = TABLE.read_text(encoding="utf-8")
    if not table.startswith(header()):
        pytest.skip(f"the table is made from another version than is installed: {header()}")
    assert make_table() == table
