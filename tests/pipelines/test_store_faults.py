"""A store that fails in mid-query, and articles that change between retrieval and reading."""

import pytest

from core.errors import StoreMissingError, UnavailableError
from core.requests import parse_request
from core.types import Status, Verdict
from indexing.stores.open import open_store
from pipelines.engine import Engine

QUESTION = "Who was sworn in as governor of Puerto Rico after the Supreme Court ruling?"


class Faulty:
    """A store in which one call does something else."""

    def __init__(self, store, **replaced) -> None:
        self._store = store
        self._replaced = replaced

    def __getattr__(self, name):
        return self._replaced.get(name) or getattr(self._store, name)


@pytest.fixture
def ask(sample_settings, engine):
    store = open_store(sample_settings)

    def run(**replaced):
        made = Engine(
            sample_settings.model_copy(update={"top_k": 5}),
            store=Faulty(store, **{name: make(store) for name, make in replaced.items()}),
        )
        made.resources._evidence_model = engine.resources.evidence_model()
        return made.run("verify", parse_request({"text": QUESTION}))

    yield run
    store.close()


def fail(error: Exception):
    def make(store):
        def call(*args, **kwargs):
            raise error

        return call

    return make


@pytest.mark.parametrize("call", ["keyword_search", "get_articles"])
@pytest.mark.parametrize("error", [UnavailableError("the cluster went away", hint="Look at it."), OSError("disk")])
def test_store_that_fails_in_mid_query_is_a_failure_and_no_finding(ask, call: str, error: Exception) -> None:
    result = ask(**{call: fail(error)})
    assert result.status is Status.FAILED
    assert result.verdict is None
    assert result.answer == ""
    assert result.references == ()
    assert result.failure is not None
    assert result.failure.code in {"unavailable", "internal_error"}


def test_store_that_is_gone_is_raised(ask) -> None:
    with pytest.raises(StoreMissingError):
        ask(keyword_search=fail(StoreMissingError("there is no index")))


def test_article_deleted_between_retrieval_and_reading_is_left_out(ask) -> None:
    whole = ask()
    gone = whole.references[0].article_id

    def without(store):
        def get(article_ids):
            return {name: found for name, found in store.get_articles(article_ids).items() if name != gone}

        return get

    result = ask(get_articles=without)
    assert "passage_gone" in {notice.code for notice in result.warnings}
    assert gone not in {reference.article_id for reference in result.references}


def test_everything_deleted_is_no_evidence(ask) -> None:
    result = ask(get_articles=lambda store: lambda article_ids: {})
    assert result.status is Status.NO_EVIDENCE
    assert result.verdict is Verdict.UNVERIFIED


def test_article_rewritten_since_is_not_quoted_from_its_new_text(ask) -> None:
    def rewritten(store):
        def get(article_ids):
            return {
                name: found.model_copy(update={"body": "Rewritten. " + found.body})
                for name, found in store.get_articles(article_ids).items()
            }

        return get

    result = ask(get_articles=rewritten)
    assert result.status is Status.NO_EVIDENCE
    assert "passage_gone" in {notice.code for notice in result.warnings}
