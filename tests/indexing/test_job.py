import gzip
import itertools
import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import CancelledError, InputError, StoreMissingError, StoreVersionError
from core.progress import Stage
from core.settings import load_settings
from indexing import articles, job
from indexing.job import run_index
from indexing.passages import split_passages
from indexing.stores.embedded.store import EmbeddedStore
from indexing.stores.open import open_store
from tests.sample_articles import DAY, START, make_article


class WordCountEmbedder:
    """A tiny embedder, and how many texts it was asked for."""

    dimension = 4

    def __init__(self, identity="words-1"):
        self.identity = identity
        self.texts = 0

    def embed(self, texts):
        self.texts += len(texts)
        rows = np.array([[len(t), t.count("a"), t.count("e"), 1] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def store(tmp_path):
    store = EmbeddedStore(tmp_path / "index")
    yield store
    store.close()


def write(tmp_path, *articles, name="paper/run-1.jsonl", mode="a"):
    path = tmp_path / "articles" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open(mode) as lines:
        lines.writelines(article.model_dump_json() + "\n" for article in articles)
    return path


def test_crawled_articles_are_indexed_once(tmp_path, store):
    write(tmp_path, make_article("a"), make_article("b"))
    first = run_index(store, data_dir=tmp_path)
    assert (first.new, first.passages, first.files) == (2, 2, 1)
    second = run_index(store, data_dir=tmp_path)
    assert (second.new, second.unchanged, second.files) == (0, 0, 0)
    assert second.snapshot_id == first.snapshot_id == store.snapshot_id()


def test_a_second_run_touches_no_file_of_the_index(tmp_path, store):
    write(tmp_path, make_article("a"))
    run_index(store, data_dir=tmp_path)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "index").rglob("*.*") if "lock" not in path.name}
    run_index(store, data_dir=tmp_path)
    run_index(store, data_dir=tmp_path, articles=tmp_path / "articles" / "paper" / "run-1.jsonl")
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "index").rglob("*.*") if "lock" not in path.name}
    assert before == after


def test_only_what_is_new_is_read(tmp_path, store):
    write(tmp_path, make_article("a"))
    run_index(store, data_dir=tmp_path)
    write(tmp_path, make_article("b"))
    write(tmp_path, make_article("a", body="Changed.", first_seen_at=START + DAY), name="paper/run-2.jsonl")
    report = run_index(store, data_dir=tmp_path)
    assert (report.new, report.changed, report.unchanged, report.files) == (1, 1, 0, 2)


@pytest.mark.parametrize("later", [["c"], ["c", "d", "e"]], ids=["shorter", "longer"])
@pytest.mark.parametrize(("name", "packed"), [("paper.jsonl.gz", gzip.compress), ("paper.jsonl", bytes)])
def test_a_file_that_was_replaced_is_read_from_its_beginning(tmp_path, store, name, packed, later):
    path = tmp_path / "articles" / name
    path.parent.mkdir()

    def replace(*names):
        path.write_bytes(packed("".join(make_article(n).model_dump_json() + "\n" for n in names).encode()))

    replace("a", "b")
    assert run_index(store, data_dir=tmp_path).new == 2
    assert run_index(store, data_dir=tmp_path).files == 0
    replace(*later)
    assert run_index(store, data_dir=tmp_path).new == len(later)
    assert run_index(store, data_dir=tmp_path).files == 0


@pytest.mark.parametrize("left", [None, b"", b"{", b'{"snapshot_id":"\xff"}'])
def test_losing_the_watermark_costs_nothing_but_time(tmp_path, store, left):
    write(tmp_path, make_article("a"))
    run_index(store, data_dir=tmp_path)
    state = tmp_path / "state" / "indexed.json"
    state.unlink() if left is None else state.write_bytes(left)
    report = run_index(store, data_dir=tmp_path)
    assert (report.new, report.unchanged) == (0, 1)


def test_gone_articles_are_marked(tmp_path, store):
    article = make_article("a")
    gone_at = datetime(2021, 1, 1, tzinfo=UTC)
    write(tmp_path, article)
    run_index(store, data_dir=tmp_path)
    write(tmp_path, article.model_copy(update={"gone_at": gone_at}))
    assert run_index(store, data_dir=tmp_path).gone == 1
    assert store.get_articles([article.article_id])[article.article_id].gone_at == gone_at


GONE = make_article("a", gone_at=START + 2 * DAY)
CHANGED = make_article("a", body="Changed.", revision=2, first_seen_at=START + 3 * DAY)


@pytest.mark.parametrize(
    "later",
    [
        [make_article("a", first_seen_at=START + 3 * DAY)],
        [CHANGED],
        [CHANGED, make_article("a", revision=3, first_seen_at=START + 4 * DAY)],
    ],
    ids=["same text", "other text", "other text and back"],
)
def test_a_page_that_came_back_is_not_gone_however_often_its_lines_are_read(tmp_path, store, later):
    write(tmp_path, make_article("a"), GONE, *later)
    run_index(store, data_dir=tmp_path)
    before = store.snapshot_id()
    (tmp_path / "state" / "indexed.json").unlink()
    assert run_index(store, data_dir=tmp_path).snapshot_id == before
    found = store.get_articles([GONE.article_id])[GONE.article_id]
    assert (found.body, found.gone_at) == (later[-1].body, None)
    assert run_index(store, data_dir=tmp_path, rebuild=True).snapshot_id == before


def test_a_page_that_is_gone_again_is_marked_again(tmp_path, store):
    back = make_article("a", first_seen_at=START + 3 * DAY)
    write(tmp_path, make_article("a"), GONE, back, back.model_copy(update={"gone_at": START + 4 * DAY}))
    run_index(store, data_dir=tmp_path)
    before = store.snapshot_id()
    (tmp_path / "state" / "indexed.json").unlink()
    assert run_index(store, data_dir=tmp_path).snapshot_id == before
    assert store.get_articles([back.article_id])[back.article_id].gone_at == START + 4 * DAY


def test_a_bad_line_leaves_nothing_behind(tmp_path, store):
    path = write(tmp_path, make_article("a"))
    with path.open("a") as lines:
        lines.write('{"url": "https://a.example"}\n')
    with pytest.raises(InputError, match="line 2: headline is missing"):
        run_index(store, data_dir=tmp_path)
    with pytest.raises(StoreMissingError):
        store.snapshot_id()
    assert not (tmp_path / "state").exists()


def test_a_cut_off_line_waits_for_its_crawl_and_is_refused_in_a_file_from_elsewhere(tmp_path, store):
    path = write(tmp_path, make_article("a"), make_article("b"))
    path.write_bytes(path.read_bytes()[:-9])
    assert run_index(store, data_dir=tmp_path).new == 1
    with pytest.raises(InputError, match="line 2: this is not JSON"):
        run_index(store, data_dir=tmp_path, articles=path)


def test_no_articles_is_an_error_that_says_what_to_do(tmp_path, store):
    with pytest.raises(InputError) as caught:
        run_index(store, data_dir=tmp_path)
    assert "looksy crawl" in (caught.value.hint or "")
    with pytest.raises(InputError, match="no file"):
        run_index(store, data_dir=tmp_path, articles=tmp_path / "none.jsonl")


def test_progress_tells_count_rate_and_time_left(tmp_path, store):
    write(tmp_path, *(make_article(f"n{n}") for n in range(100)))
    events = []
    run_index(store, data_dir=tmp_path, progress=events.append)
    assert {event.stage for event in events} == {Stage.INDEX}
    assert [event.done for event in events] == sorted(event.done for event in events)
    assert (events[-1].done, events[-1].total, events[-1].unit) == (100, 100, "articles")
    assert "articles/s" in events[-1].message
    assert "left" in events[-1].message


def test_a_stopped_job_goes_on_after_its_last_commit(tmp_path, store, monkeypatch):
    monkeypatch.setattr(job, "BATCH_ARTICLES", 10)
    monkeypatch.setattr(job, "COMMIT_ARTICLES", 30)
    write(tmp_path, *(make_article(f"n{n}") for n in range(100)))

    def stop_at_70(event):
        if event.done >= 70:
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        run_index(store, data_dir=tmp_path, progress=stop_at_70)
    assert store.counts().articles == 60
    report = run_index(store, data_dir=tmp_path)
    assert (report.new, report.unchanged) == (40, 0)
    assert store.counts().articles == 100


def test_long_articles_are_committed_in_smaller_parts(tmp_path, store, monkeypatch):
    monkeypatch.setattr(job, "BATCH_ARTICLES", 1)
    monkeypatch.setattr(job, "COMMIT_PASSAGES", 10)
    body = " ".join(f"Sentence number {n} tells of the harbour and of what people did." for n in range(75))
    article = make_article("a", body=body)
    write(tmp_path, *(make_article(f"n{n}", body=body) for n in range(6)))
    seen = []

    def stop_at_the_end(event):
        seen.append(store.counts().articles if store.root.joinpath("index.json").exists() else 0)
        if event.done == 6:
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        run_index(store, data_dir=tmp_path, progress=stop_at_the_end)
    assert len(split_passages(article)) == 5
    assert seen == [0, 0, 2, 2, 4, 4]


def test_only_new_and_changed_articles_are_embedded(tmp_path, store):
    embedder = WordCountEmbedder()
    path = write(tmp_path, make_article("a"), make_article("b"))
    run_index(store, data_dir=tmp_path, embedder=embedder)
    assert embedder.texts == 2
    path = write(tmp_path, make_article("c"))
    run_index(store, data_dir=tmp_path, articles=path, embedder=embedder)
    assert embedder.texts == 3
    assert store.counts().embedder == "words-1"
    assert len(store.vector_search(embedder.embed(["harbour"])[0].tolist(), top_k=9)) == 3


@pytest.mark.parametrize("embedder", [None, WordCountEmbedder("words-2")])
def test_another_embedder_or_none_is_refused(tmp_path, store, embedder):
    write(tmp_path, make_article("a"))
    run_index(store, data_dir=tmp_path, embedder=WordCountEmbedder())
    write(tmp_path, make_article("b"))
    with pytest.raises(StoreVersionError, match="words-1"):
        run_index(store, data_dir=tmp_path, embedder=embedder)


def test_open_store_refuses_what_is_not_there(tmp_path):
    settings = load_settings({"data_dir": tmp_path}, environment={})
    with pytest.raises(StoreMissingError, match="no index"):
        open_store(settings)
    store = open_store(settings, must_exist=False)
    run_index(store, data_dir=tmp_path, articles=write(tmp_path, make_article("a")))
    assert open_store(settings).count_documents() == 1


@pytest.mark.parametrize("pointer", ['{"format": 99, "folder": "data-x"}', "{", '{"folder": 3}'])
def test_open_store_refuses_another_format_and_advises(tmp_path, pointer):
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "index.json").write_text(pointer)
    with pytest.raises(StoreVersionError) as caught:
        open_store(load_settings({"data_dir": tmp_path}, environment={}), must_exist=False)
    assert "--rebuild" in (caught.value.hint or "")
    assert "--articles FILE" in (caught.value.hint or "")


def test_foreign_articles_report_ignored_fields(tmp_path, store):
    path = tmp_path / "foreign.jsonl"
    path.write_text(json.dumps({"url": "https://a.example/1", "headline": "H", "body": "B", "mood": "grim"}) + "\n")
    assert run_index(store, data_dir=tmp_path, articles=path).ignored_fields == {"mood": 1}


def test_texts_of_one_url_without_dates_are_revisions_once(tmp_path, store, monkeypatch):
    path = tmp_path / "foreign.jsonl"
    seconds = itertools.count(1)
    clock = SimpleNamespace(now=lambda zone: datetime.now(zone) + timedelta(seconds=next(seconds)))
    monkeypatch.setattr(articles, "datetime", clock)

    def load(*bodies, rebuild=False):
        lines = [{"url": "https://a.example/1", "headline": "H", "body": body} for body in bodies]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return run_index(store, data_dir=tmp_path, articles=path, rebuild=rebuild)

    def texts():
        (article,) = store.get_articles(article.article_id for article in store.iter_articles()).values()
        return [revision.body for revision in store.get_revisions(article.article_id)]

    first = load("One.", "Two.", "Three.")
    assert (first.new, first.changed) == (1, 2)
    assert load("One.", "Two.", "Three.", rebuild=True).snapshot_id == first.snapshot_id
    again = load("One.", "Two.", "Three.")
    assert (again.unchanged, again.snapshot_id) == (3, first.snapshot_id)
    assert texts() == ["One.", "Two.", "Three."]
    assert (load("Three.", "One.").changed, texts()[-1]) == (1, "One.")  # it went back
    assert load("Three.", "One.").changed == 0


def test_a_rebuild_keeps_everything_and_the_snapshot(tmp_path, store):
    article = make_article("a")
    changed = make_article("a", body="Changed.", first_seen_at=START + DAY)
    imported = write(tmp_path / "elsewhere", make_article("imported"))
    write(tmp_path, article, changed.model_copy(update={"gone_at": START + 2 * DAY}))
    run_index(store, data_dir=tmp_path)
    before = run_index(store, data_dir=tmp_path, articles=imported)
    after = run_index(store, data_dir=tmp_path, rebuild=True)
    assert after.snapshot_id == before.snapshot_id
    assert [revision.body for revision in store.get_revisions(article.article_id)] == [article.body, "Changed."]
    assert store.counts().articles == 2
    assert run_index(store, data_dir=tmp_path).files == 0


def test_a_rebuild_takes_in_what_is_new_and_may_change_the_embedder(tmp_path, store):
    write(tmp_path, make_article("a"))
    run_index(store, data_dir=tmp_path)
    write(tmp_path, make_article("b"))
    report = run_index(store, data_dir=tmp_path, rebuild=True, embedder=WordCountEmbedder())
    assert (report.new, store.counts().embedder) == (2, "words-1")
    assert len(store.vector_search([1.0, 0.0, 0.0, 0.0], top_k=5)) == 2


def test_a_rebuild_replaces_an_index_of_another_format(tmp_path, store):
    write(tmp_path, make_article("a"))
    run_index(store, data_dir=tmp_path)
    pointer = tmp_path / "index" / "index.json"
    pointer.write_text(pointer.read_text().replace('"format":1', '"format":99'))
    settings = load_settings({"data_dir": tmp_path}, environment={})
    opened = open_store(settings, must_exist=False, readable=False)
    assert run_index(opened, data_dir=tmp_path, rebuild=True).new == 1
    assert open_store(settings).count_documents() == 1
    assert len(list((tmp_path / "index").glob("data-*"))) == 1


def reopened_with_a_broken_pointer(tmp_path):
    (tmp_path / "index" / "index.json").write_text("{")
    return open_store(load_settings({"data_dir": tmp_path}, environment={}), must_exist=False, readable=False)


def test_a_rebuild_of_an_unreadable_index_reads_what_was_crawled_beside_what_is_given(tmp_path, store):
    imported = write(tmp_path / "elsewhere", make_article("imported"))
    write(tmp_path, make_article("crawled"))
    run_index(store, data_dir=tmp_path)
    run_index(store, data_dir=tmp_path, articles=imported)
    opened = reopened_with_a_broken_pointer(tmp_path)
    assert run_index(opened, data_dir=tmp_path, articles=imported, rebuild=True).new == 2
    assert opened.counts().articles == 2
    assert run_index(opened, data_dir=tmp_path).files == 0


def test_an_unreadable_index_is_not_replaced_by_an_empty_one(tmp_path, store):
    run_index(store, data_dir=tmp_path, articles=write(tmp_path / "elsewhere", make_article("imported")))
    pointer = (tmp_path / "index" / "index.json").read_text()
    opened = reopened_with_a_broken_pointer(tmp_path)
    with pytest.raises(InputError, match="no articles") as caught:
        run_index(opened, data_dir=tmp_path, rebuild=True)
    assert "--articles FILE" in (caught.value.hint or "")
    (tmp_path / "index" / "index.json").write_text(pointer)
    assert EmbeddedStore(tmp_path / "index").count_documents() == 1


def test_copies_of_one_text_share_an_origin_across_runs(tmp_path, store):
    text = " ".join(f"Sentence number {n} tells what the council said about pier {n * 7}." for n in range(40))
    first = make_article("agency").model_copy(update={"body": text})
    copy = make_article("paper").model_copy(update={"body": f"HARWICK (Reuters) - {text} All from Reuters."})
    write(tmp_path, first)
    run_index(store, data_dir=tmp_path)
    write(tmp_path, copy, make_article("other"))
    run_index(store, data_dir=tmp_path)
    found = store.get_articles([first.article_id, copy.article_id])
    assert {article.origin_id for article in found.values()} == {first.article_id}
