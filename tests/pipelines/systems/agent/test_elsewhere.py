"""Searches with another engine than our index: what is said of it, what fails, what is replayed."""

import json
from datetime import UTC, datetime

import pytest

from core.errors import InputError, UnavailableError
from core.settings import load_settings
from core.types import Filters, Request, Status, Verdict
from pipelines.engine import Engine
from pipelines.rendering.render import to_markdown
from pipelines.runs.replay import replay, settings_of
from pipelines.systems.agent import search as searching
from pipelines.systems.agent.backends.contract import Search
from pipelines.systems.agent.backends.http import SearxngBackend
from service.web.view import view_result
from tests.pipelines.systems.agent.search_server import SearchServer
from tests.pipelines.systems.articles import BRIDGE, open_engine

CLAIM = "Mayor Otto Grimm married Anna Berg in Velmont on 3 June 2020."
ROWS = [
    {
        "title": "Osterholm bridge reopens",
        "url": "https://valley.example/bridge",
        "text": "Otto Grimm opened the Osterholm bridge, the treasurer Anna Berg said.",
        "date": "2021-05-02T10:00:00",
    }
]
BLOCKED = {"results": [], "unresponsive_engines": [["google", "CAPTCHA"], ["duckduckgo", "timeout"]]}


class Scripted(SearchServer):
    """Answers one search after the other from a list; the last answer again and again."""

    def __init__(self, *answers):
        super().__init__([])
        self.answers = list(answers)

    def answer(self, path):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def rows(found):
    return {"results": [{"title": row["title"], "url": row["url"], "content": row["text"]} for row in found]}


def engine_at(folder, server=None, **flags):
    flags = {"search_backend": "searxng", "data_dir": folder, "threads": 2} | flags
    return Engine(load_settings(flags | ({"search_url": server.url} if server else {}), environment={}))


def run(folder, *answers, text=CLAIM, **options):
    with Scripted(*answers) as server:
        engine = engine_at(folder, server)
        result = engine.run("agent", Request(text=text, options=options))
        engine.close()
    return result


def test_an_instance_whose_engines_are_blocked_has_found_nothing_out(tmp_path):
    result = run(tmp_path, BLOCKED)
    assert (result.status, result.verdict) == (Status.FAILED, None)
    assert "google CAPTCHA, duckduckgo timeout" in result.failure.message


@pytest.mark.parametrize("engines", [None, [], {}, "x", 5, [["google"]], [None], [{"a": 1}]])
def test_what_an_instance_says_of_its_engines_may_be_odd(engines):
    with Scripted({"results": [], "unresponsive_engines": engines}) as server:
        backend = SearxngBackend(load_settings({"search_url": server.url}, environment={}))
        if isinstance(engines, list) and engines:
            with pytest.raises(UnavailableError):
                backend.search(Search(query="bridge", limit=5))
        else:
            assert backend.search(Search(query="bridge", limit=5)).documents == ()


def test_a_blocked_engine_beside_others_that_find_something_is_no_failure(tmp_path):
    result = run(tmp_path, rows(ROWS) | {"unresponsive_engines": [["google", "CAPTCHA"]]}, rounds=1)
    assert result.status is not Status.FAILED
    assert "search_failed" not in {notice.code for notice in result.warnings}


def test_nothing_found_beside_a_search_that_failed_is_a_failure(tmp_path):
    result = run(tmp_path, BLOCKED, rows([]))
    assert (result.status, result.verdict) == (Status.FAILED, None)
    assert "did not answer" in result.failure.message


def test_searches_that_failed_beside_others_are_told(tmp_path):
    result = run(tmp_path, rows(ROWS), BLOCKED)
    assert result.status is not Status.FAILED
    count = len([one for one in result.sections if one.kind == "round"])
    (notice,) = [one for one in result.warnings if one.code == "search_failed"]
    assert notice.message.startswith(f"{count - 1} of {count} searches failed: the search at http")


def test_an_answer_speaks_of_the_engine_that_was_asked_and_needs_no_index(tmp_path):
    result = run(tmp_path, rows([]))
    assert (result.status, result.verdict) == (Status.NO_EVIDENCE, Verdict.UNVERIFIED)
    assert result.answer == f"I cannot answer this from what searxng found. Searches: {len(result.searched.queries)}."
    assert (result.searched.articles, result.searched.sources, result.searched.snapshot_id) == (0, (), "")
    assert result.run.snapshot_id is None
    assert result.missing[0].startswith("Nothing from searxng bears on the statement.")
    assert "index" not in to_markdown(result)
    assert view_result(result, {}).meaning.startswith("Nothing that was found bears on this.")


def test_what_was_searched_is_what_the_engine_found(tmp_path):
    open_engine(tmp_path, BRIDGE).close()
    result = run(tmp_path, rows(ROWS))
    assert (result.searched.articles, result.searched.sources) == (1, ("valley.example",))
    failed = run(tmp_path, BLOCKED)
    assert failed.searched is None


@pytest.mark.parametrize("filters", [Filters(sections=("sports",)), Filters(languages=("de",))])
def test_a_filter_that_only_the_index_can_apply_is_refused(tmp_path, filters):
    with Scripted(rows(ROWS)) as server:
        engine = engine_at(tmp_path, server)
        with pytest.raises(InputError, match="another search engine"):
            engine.run("agent", Request(text=CLAIM, filters=filters))
        bounded = Filters(published_from=datetime(2020, 1, 1, tzinfo=UTC))
        assert engine.run("agent", Request(text=CLAIM, filters=bounded)).status is Status.NO_EVIDENCE
        engine.close()


class Clock:
    """Each look at it takes three seconds."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        self.now += 3.0
        return self.now


def test_a_run_that_its_time_ended_is_replayed_though_replies_take_none(tmp_path, monkeypatch):
    with Scripted(rows(ROWS)) as server:
        engine = engine_at(tmp_path, server)
        with monkeypatch.context() as slow:
            slow.setattr(searching, "time", Clock())
            before = engine.run("agent", Request(text=CLAIM, options={"seconds": 8.0}))
        done = replay(before, engine)
        engine.close()
    assert "budget_spent" in {notice.code for notice in before.warnings}
    assert [call.purpose for call in before.run.calls] == ["search", "search", "budget"]
    assert done.differences == ()


def test_a_run_that_ended_in_time_is_replayed_though_the_clock_is_late(tmp_path, monkeypatch):
    with Scripted(rows(ROWS)) as server:
        engine = engine_at(tmp_path, server)
        before = engine.run("agent", Request(text=CLAIM, options={"seconds": 8.0}))
        monkeypatch.setattr(searching, "time", Clock())
        done = replay(before, engine)
        engine.close()
    assert done.differences == ()


def test_a_run_that_failed_is_replayed_as_the_same_failure(tmp_path):
    with Scripted(BLOCKED) as server:
        engine = engine_at(tmp_path, server)
        done = replay(engine.run("agent", Request(text=CLAIM)), engine)
        engine.close()
    assert done.differences == ()


def test_searches_of_brave_are_replayed_without_its_key(tmp_path):
    with SearchServer(ROWS) as server:
        settings = load_settings(
            {"search_backend": "brave", "search_url": server.url, "data_dir": tmp_path, "threads": 2},
            environment={"LOOKSY_SEARCH_API_KEY": "s3cret"},
        )
        engine = Engine(settings)
        before = engine.run("agent", Request(text=CLAIM, options={"rounds": 2}))
        engine.close()
        asked = len(server.queries)
        here = load_settings({"data_dir": tmp_path, "threads": 2}, environment={})
        engine = Engine(settings_of(before, here))
        done = replay(before, engine)
        engine.close()
        assert len(server.queries) == asked
    assert done.identical, done.differences
    assert settings_of(before, here, fresh=True).search_api_key is None
    assert json.dumps(before.run.settings).count("s3cret") == 0
