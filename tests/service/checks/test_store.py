"""Checks are kept claim by claim, and go on where they stopped."""

import pytest

from core.errors import NotFoundError
from pipelines.systems.check import CheckRequest
from service.checks.run import CheckRunner
from service.checks.store import CheckStore
from tests.service.checks.samples import TEXT, FakeAnswerer


def _runner(store, answerer):
    runner = CheckRunner(answerer, store)
    runner.checker.at_once = 1
    return runner


def test_a_check_is_read_back_as_it_ended(tmp_path):
    store = CheckStore(tmp_path, keep=10)
    runner = _runner(store, FakeAnswerer())
    told = []
    checked = runner.finish(runner.begin(CheckRequest(text=TEXT)), told=told.append)
    stored = CheckStore(tmp_path, keep=10).get(checked.id)
    assert stored.checked == checked
    assert stored.is_done
    assert {one.id for one in told} >= {claim.id for claim in checked.claims if claim.verdict}


def test_a_stopped_check_goes_on_without_asking_again(tmp_path):
    store = CheckStore(tmp_path, keep=10)
    request = CheckRequest(text=TEXT)
    first = FakeAnswerer(stop_after=1)
    stopped = _runner(store, first)
    begun = stopped.begin(request)
    with pytest.raises(KeyboardInterrupt):
        stopped.finish(begun)
    second = FakeAnswerer()
    runner = _runner(CheckStore(tmp_path, keep=10), second)
    stored = runner.begin(request)
    checked = runner.finish(stored)
    assert checked.summary.waiting == 0
    assert checked.summary.judged == len(first.asked) + len(second.asked)
    assert not set(first.asked) & set(second.asked)


def test_another_text_options_or_index_make_another_check(tmp_path):
    store = CheckStore(tmp_path, keep=10)
    begun = _runner(store, FakeAnswerer()).begin(CheckRequest(text=TEXT))
    assert _runner(store, FakeAnswerer()).begin(CheckRequest(text=TEXT)).checked.id == begun.checked.id
    assert _runner(store, FakeAnswerer()).begin(CheckRequest(text=TEXT), resume=False).checked.id != begun.checked.id
    other = CheckRunner(FakeAnswerer(), store, snapshot=lambda: "later")
    assert other.begin(CheckRequest(text=TEXT)).checked.id != begun.checked.id
    assert _runner(store, FakeAnswerer()).begin(CheckRequest(text=TEXT, max_claims=1)).checked.id != begun.checked.id


def test_a_line_that_was_cut_off_is_dropped(tmp_path):
    store = CheckStore(tmp_path, keep=10)
    runner = _runner(store, FakeAnswerer())
    checked = runner.finish(runner.begin(CheckRequest(text=TEXT)))
    (path,) = store.folder.glob("*.jsonl")
    path.write_text(path.read_text()[:-30])
    assert store.get(checked.id).checked.claims == checked.claims


def test_only_the_latest_are_kept_and_nobody_else_may_read_them(tmp_path):
    store = CheckStore(tmp_path, keep=2)
    for number in range(4):
        _runner(store, FakeAnswerer()).begin(CheckRequest(text=f"{TEXT} {number}"))
    paths = list(store.folder.glob("*.jsonl"))
    assert len(paths) == 2
    assert all(path.stat().st_mode & 0o077 == 0 for path in paths)


def test_nothing_is_written_where_nothing_is_kept(tmp_path):
    store = CheckStore(tmp_path, keep=0)
    runner = _runner(store, FakeAnswerer())
    checked = runner.finish(runner.begin(CheckRequest(text=TEXT)))
    assert not store.folder.exists()
    assert store.get(checked.id).checked.summary == checked.summary


@pytest.mark.parametrize("name", ["0" * 32, "../../etc/passwd", "", "ABC"])
def test_an_unknown_check_is_not_found(tmp_path, name):
    with pytest.raises(NotFoundError):
        CheckStore(tmp_path, keep=10).get(name)


@pytest.mark.parametrize("end", ["\x85", "\u2028", "\x0b", "\x1e", "\r"])
def test_a_text_with_any_line_end_is_read_back(tmp_path, end):
    store = CheckStore(tmp_path, keep=10)
    runner = _runner(store, FakeAnswerer())
    checked = runner.finish(runner.begin(CheckRequest(text=f"{TEXT}{end}Two cranes were sold in May 2031.")))
    assert store.get(checked.id).checked == checked
