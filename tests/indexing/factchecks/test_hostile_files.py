"""Files of strangers: each is taken or refused with a reason, and none gets further than its own texts."""

import re
from pathlib import Path

import pytest

from core.errors import InputError
from indexing.factchecks.matcher import FactCheckMatcher
from indexing.factchecks.reading import read_fact_checks
from indexing.factchecks.store import FactCheckStore
from indexing.factchecks.types import FactCheck, Refusal

FILES = sorted((Path(__file__).parent / "hostile").iterdir())
REFUSED_WHOLE = {"08_deep_nesting", "13_not_a_number", "14_no_utf8", "15_cut_off", "22_feed_of_nothing"}
REFUSED_ENTRIES = {
    "02_script_address", "03_data_address", "04_login_in_address", "05_file_address", "09_pointer_circle",
    "10_wrong_types", "11_claim_too_long",
}  # fmt: skip
REFUSED_WHOLE |= {"12_number_without_end"}  # Python refuses to read a number of 5,000 digits


def read(path: Path) -> list[FactCheck | Refusal]:
    return list(read_fact_checks(path.read_bytes(), name=path.name))


def test_there_are_at_least_twenty() -> None:
    assert len(FILES) >= 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_hostile_file_is_taken_as_text_or_refused_with_a_reason(path: Path, tmp_path: Path) -> None:
    if path.stem in REFUSED_WHOLE:
        with pytest.raises(InputError) as caught:
            read(path)
        assert path.name in caught.value.message
        assert caught.value.hint
        return
    entries = read(path)
    refusals = [entry for entry in entries if isinstance(entry, Refusal)]
    assert bool(refusals) == (path.stem in REFUSED_ENTRIES), refusals
    assert all(refusal.reason and refusal.place for refusal in refusals)
    for entry in entries:
        if isinstance(entry, FactCheck):
            assert entry.url.startswith("https://checks.example/")
            text = f"{entry.claim}{entry.verdict}{entry.publisher}{entry.title}"
            assert not re.search(r"<[\w!]", text)
            assert text.isprintable()
            text.encode()
    store = FactCheckStore(tmp_path)
    report = store.add(entries)
    assert report.refused >= len(refusals)
    assert store.count() == report.total == report.taken
    found = FactCheckMatcher(store, None).match('the bridge" OR claim:* has fallen')
    assert all(0 <= one.score <= 1 for one in found)


def test_what_stands_twice_is_taken_once_and_the_contradiction_is_named(tmp_path: Path) -> None:
    path = next(path for path in FILES if path.stem == "19_repeated_ids")
    report = FactCheckStore(tmp_path).add(read(path))
    assert (report.read, report.taken, report.unchanged, report.refused) == (4, 2, 1, 1)
    assert "stands twice" in report.refusals[0].reason
