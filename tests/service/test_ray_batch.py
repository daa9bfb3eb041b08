"""A batch on a cluster: the answers of one process, whatever happens to the workers."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from itertools import islice

import pytest

from core.errors import StoreLockedError, StoreMissingError
from core.settings import load_settings
from indexing.documents import article_documents
from indexing.stores.open import open_store
from pipelines.engine import Engine
from service.answers import ray_batch
from service.answers.batch import answer_lines
from service.answers.ray_batch import answer_on_cluster
from tests.indexing.ray.local_cluster import local_cluster, needs_ray
from tests.sample_articles import make_article

LINES = [
    *(json.dumps({"id": n, "text": f"Did the council close the harbour in {1990 + n}?"}).encode() for n in range(12)),
    b"no json \xff",
]
VARYING = ("run", "timings", "run_id", "searched")


@pytest.fixture
def settings(tmp_path):
    settings = load_settings({"data_dir": tmp_path})
    store = open_store(settings, must_exist=False)
    with store.writer() as writer:
        for name in "abc":
            writer.put(make_article(name), article_documents(make_article(name)))
    store.close()
    return settings


def without_times(answers):
    return [{name: value for name, value in answer.items() if name not in VARYING} for answer in answers]


def alone(settings):
    engine = Engine(settings)
    answers = list(answer_lines(LINES, engine.run, system="verify"))
    engine.close()
    return without_times(answers)


def needing_ray(test):
    for mark in needs_ray:
        test = mark(test)
    return test


@needing_ray
def test_the_answers_are_those_of_one_process_though_a_worker_is_killed(settings, monkeypatch):
    monkeypatch.setattr(ray_batch, "PART_LINES", 2)
    with local_cluster() as cluster:
        with ThreadPoolExecutor(1) as pool:
            killed = pool.submit(cluster.kill_a_busy_worker)
            answers = answer_on_cluster(LINES, settings, system="verify", defaults={}, address=cluster.address)
            found = without_times(answers)
        assert killed.result()
    assert found == alone(settings)
    assert found[-1]["line"] == len(LINES)
    assert not list((settings.data_dir / "state").glob("ask-*"))


class CountingCluster:
    """Answers in this process, and counts the parts that it was given."""

    def __init__(self):
        self.parts = 0

    def spread(self, parts, work):
        for part in parts:
            self.parts += 1
            yield work(part)


@pytest.fixture
def cluster(monkeypatch):
    counting = CountingCluster()
    monkeypatch.setattr(ray_batch, "connect", lambda address: nullcontext(counting))
    monkeypatch.setattr(ray_batch, "PART_LINES", 2)
    return counting


def test_a_batch_that_was_stopped_goes_on_with_what_is_left(settings, cluster):
    def ask(lines=LINES, **defaults):
        return answer_on_cluster(lines, settings, system="verify", defaults=defaults, address="somewhere")

    stopped = ask()
    before = list(islice(stopped, 5))
    stopped.close()
    assert cluster.parts == 3
    answers = list(ask())
    assert cluster.parts == 7
    assert answers[:5] == before
    assert without_times(answers) == alone(settings)
    assert not list((settings.data_dir / "state").glob("ask-*"))


def test_a_batch_is_answered_by_one_process_at_a_time(settings, cluster):
    def ask(lines=LINES):
        return answer_on_cluster(lines, settings, system="verify", defaults={}, address="x")

    running = ask()
    first = next(running)
    with pytest.raises(StoreLockedError, match="this batch"):
        next(ask())
    next(ask(LINES[:-1]))  # another batch
    assert without_times([first, *running]) == alone(settings)
    assert len(list(ask())) == len(LINES)


def test_a_part_that_appears_meanwhile_moves_no_answer(settings, cluster):
    running = answer_on_cluster(LINES, settings, system="verify", defaults={}, address="x")
    first = next(running)
    (folder,) = (settings.data_dir / "state").glob("ask-*")
    (folder / "00000002.json").write_text("[]")
    assert without_times([first, *running]) == alone(settings)


def test_other_options_lines_or_articles_begin_anew(settings, cluster):
    next(answer_on_cluster(LINES, settings, system="verify", defaults={}, address="x"))
    next(answer_on_cluster(LINES, settings, system="verify", defaults={"top_k": 3}, address="x"))
    next(answer_on_cluster(LINES[:-1], settings, system="verify", defaults={}, address="x"))
    store = open_store(settings)
    with store.writer() as writer:
        writer.put(make_article("d"), article_documents(make_article("d")))
    next(answer_on_cluster(LINES, settings, system="verify", defaults={}, address="x"))
    assert cluster.parts == 4


def test_without_an_index_nothing_is_started(tmp_path, cluster):
    with pytest.raises(StoreMissingError):
        next(answer_on_cluster(LINES, load_settings({"data_dir": tmp_path}), system="verify", defaults={}, address="x"))
    assert cluster.parts == 0
