"""
What every evidence store must do. A store's own test class extends `EvidenceStoreContract` and adds one fixture,
`document_store`: an empty store that is its own.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from haystack import Document
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack.testing.document_store import DocumentStoreBaseTests

from core.errors import StoreLockedError, StoreVersionError
from core.settings import load_settings
from core.types import Article
from indexing.documents import article_documents
from indexing.embedders import open_embedder
from indexing.stores.contract import EvidenceStore, PutOutcome
from indexing.vectors import index_articles
from tests.sample_articles import DAY, START, long_body, make_article

AWKWARD_QUERIES = [
    "",
    "   ",
    "?!*",
    '"an open quote',
    "title:(harbour AND",
    "harbour OR OR AND NOT",
    "[1 TO 2} ^3 ~ \\",
    "+harbour -council && || !",
    "the of and",
    "\ud800 lone surrogate harbour",
    "harbour\x00\x01",
    "🌊 harbour 港口 гавань",
    "harbour " * 400,
    "<script>alert(1)</script>",
    '{"match_all": {}}',
]


FILTERABLE = [
    make_article("a", origin_id="wire-1"),
    make_article("b", published_at=START + DAY, first_seen_at=START + DAY, source="post", section="sport"),
    make_article("c", published_at=START + 2 * DAY, first_seen_at=START + 2 * DAY, source="times", language="de"),
    make_article("d", published_at=START + 3 * DAY, first_seen_at=START + DAY * 3, source="times", origin_id="wire-1"),
    make_article("e", published_at=None, first_seen_at=START + 4 * DAY),
]


def put_all(store: EvidenceStore, *articles: Article) -> list[PutOutcome]:
    with store.writer() as writer:
        return [writer.put(article, article_documents(article)) for article in articles]


def put_and_stop(store: EvidenceStore, article: Article, *, commit_before: Article | None) -> None:
    """Put one article and commit, put another, and fail."""
    with store.writer() as writer:
        if commit_before is not None:
            writer.put(commit_before, article_documents(commit_before))
            writer.commit()
        writer.put(article, article_documents(article))
        raise RuntimeError("stop")


def rebuild_from_itself(store: EvidenceStore) -> None:
    with store.rebuild() as writer:
        for article in store.iter_articles():
            writer.put(article, article_documents(article))


def with_vectors(article: Article, *vectors: list[float]) -> list[Document]:
    return [replace(d, embedding=v) for d, v in zip(article_documents(article), vectors, strict=True)]


def names(documents: list[Document]) -> list[str]:
    return [document.meta["url"].rsplit("/", 1)[1] for document in documents]


class EvidenceStoreContract(DocumentStoreBaseTests):
    """Haystack's own suite, and what evidence needs beyond it."""

    @staticmethod
    def assert_documents_are_equal(received: list[Document], expected: list[Document]) -> None:
        """Compare without order and score; vectors are kept with 32 bits."""
        assert sorted(d.id for d in received) == sorted(d.id for d in expected)
        wanted = {document.id: document for document in expected}
        for document in received:
            other = wanted[document.id]
            assert (document.content, document.meta) == (other.content, other.meta)
            assert (document.embedding is None) == (other.embedding is None)
            if document.embedding is not None:
                np.testing.assert_allclose(document.embedding, other.embedding, rtol=1e-5)

    def test_write_documents(self, document_store):
        document = Document(content="test doc")
        assert document_store.write_documents([document]) == 1
        with pytest.raises(DuplicateDocumentError):
            document_store.write_documents([document], policy=DuplicatePolicy.NONE)
        self.assert_documents_are_equal(document_store.filter_documents(), [document])

    # -- words -------------------------------------------------------------------------------------------------------

    def test_words_find_the_passages_that_hold_them(self, document_store):
        put_all(document_store, make_article("a", body="Ships left the harbour."), make_article("b", body="It rained."))
        assert names(document_store.keyword_search("ship in harbours", top_k=5)) == ["a"]

    def test_found_documents_carry_all_meta_and_the_text(self, document_store):
        article = make_article("a", section="local", language="en", body="Ships left the harbour.")
        put_all(document_store, article)
        (found,) = document_store.keyword_search("harbour", top_k=5)
        (expected,) = article_documents(article)
        assert (found.id, found.content, found.meta) == (expected.id, expected.content, expected.meta)
        assert found.score > 0

    def test_headline_counts_for_every_passage(self, document_store):
        article = make_article("a", headline="Zanzibar votes", body=long_body())
        put_all(document_store, article)
        found = document_store.keyword_search("Zanzibar", top_k=50)
        assert len(found) == len(article_documents(article)) > 2

    def test_ties_are_in_order_of_passage_id(self, document_store):
        put_all(document_store, *(make_article(f"n{n}", body="The harbour froze.") for n in range(40)))
        everything = [d.id for d in document_store.keyword_search("harbour", top_k=40)]
        assert everything == sorted(everything)
        assert [d.id for d in document_store.keyword_search("harbour", top_k=7)] == everything[:7]

    @pytest.mark.parametrize("query", AWKWARD_QUERIES)
    def test_any_string_is_a_query(self, document_store, query):
        put_all(document_store, make_article("a", body="Ships left the harbour."))
        found = document_store.keyword_search(query, top_k=3)
        assert names(found) == (["a"] if "harbour" in query else [])

    def test_accents_and_typographic_apostrophes_do_not_matter(self, document_store):
        put_all(
            document_store, make_article("a", body="Erdo\u011fan met O\u2019Neill about the president\u2019s plan.")
        )
        for query in ("Erdogan", "O'Neill", "president"):
            assert names(document_store.keyword_search(query, top_k=3)) == ["a"]

    # -- filters and time --------------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("conditions", "expected"),
        [
            ([("published_at", ">=", "2020-01-03")], ["c", "d"]),
            ([("published_at", ">", "2020-01-01T00:00:00+00:00"), ("published_at", "<", "2020-01-03")], ["b"]),
            ([("published_at", "==", None)], ["e"]),
            ([("published_at", "!=", None)], ["a", "b", "c", "d"]),
            ([("first_seen_at", "<=", "2020-01-02T12:00:00Z")], ["a", "b"]),
            ([("source", "==", "times")], ["c", "d"]),
            ([("source", "in", ["times", "post"])], ["b", "c", "d"]),
            ([("source", "not in", ["times", "post"])], ["a", "e"]),
            ([("section", "==", "sport")], ["b"]),
            ([("section", "!=", "sport")], ["a", "c", "d", "e"]),
            ([("section", "==", None)], ["a", "c", "d", "e"]),
            ([("language", "==", "de")], ["c"]),
            ([("origin_id", "==", "wire-1")], ["a", "d"]),
            ([("revision", "==", 1), ("source", "==", "post")], ["b"]),
            ([("revision", ">", 1)], []),
            ([("headline", "==", "Nothing new"), ("source", "==", "times")], ["c", "d"]),
        ],
    )
    def test_filters_narrow_a_search(self, document_store, conditions, expected):
        put_all(document_store, *FILTERABLE)
        filters = {
            "operator": "AND",
            "conditions": [
                {"field": f"meta.{name}", "operator": how, "value": value} for name, how, value in conditions
            ],
        }
        assert sorted(names(document_store.keyword_search("council", top_k=9, filters=filters))) == expected
        assert sorted(names(document_store.filter_documents(filters))) == expected

    def test_as_of_needs_publication_and_first_sight(self, document_store):
        put_all(
            document_store,
            make_article("seen-late", first_seen_at=START + 5 * DAY),
            make_article("published-late", published_at=START + 5 * DAY),
            make_article("undated", published_at=None, first_seen_at=START + DAY),
            make_article("early"),
        )

        def at(moment: datetime) -> list[str]:
            return sorted(names(document_store.keyword_search("council", top_k=9, as_of=moment)))

        assert at(START - DAY) == []
        assert at(START) == ["early"]
        assert at(START + 2 * DAY) == ["early", "undated"]
        assert at(START + 5 * DAY) == ["early", "published-late", "seen-late", "undated"]

    def test_as_of_gives_the_revision_that_was_current_then(self, document_store):
        first = make_article("a", body="The harbour holds ten ships.")
        second = make_article("a", body="The harbour holds twelve ships.", first_seen_at=START + 3 * DAY)
        put_all(document_store, first)
        assert put_all(document_store, second) == [PutOutcome.CHANGED]

        def at(moment: datetime | None) -> list[str]:
            return [d.content for d in document_store.keyword_search("harbour", top_k=9, as_of=moment)]

        assert at(None) == [second.body]
        assert at(START + 2 * DAY) == [first.body]
        assert at(START + 3 * DAY) == [second.body]
        assert at(START - DAY) == []

    # -- articles ----------------------------------------------------------------------------------------------------

    def test_an_article_comes_back_to_the_letter(self, document_store):
        article = make_article("a", body=long_body(), authors=("Ann", "Bo"), section="local", external_id="x-1")
        put_all(document_store, article)
        assert document_store.get_articles([article.article_id, "0000000000000000"]) == {article.article_id: article}

    def test_an_unchanged_article_changes_nothing(self, document_store):
        article = make_article("a")
        assert put_all(document_store, article) == [PutOutcome.NEW]
        before = document_store.snapshot_id()
        later = article.model_copy(update={"first_seen_at": START + DAY})
        assert put_all(document_store, later, article) == [PutOutcome.UNCHANGED, PutOutcome.UNCHANGED]
        assert document_store.snapshot_id() == before
        assert document_store.count_documents() == 1

    def test_corrected_metadata_of_the_same_text_are_taken_over_in_the_same_revision(self, document_store):
        article = make_article("a", body=long_body(), section="local", authors=("Ann",))
        put_all(document_store, article, make_article("b"))
        before = document_store.snapshot_id()
        right = {"published_at": START - DAY, "section": "sport", "authors": ("Ann", "Bo")}
        fixed = article.model_copy(update=right | {"first_seen_at": START + DAY})
        assert put_all(document_store, fixed, fixed) == [PutOutcome.CORRECTED, PutOutcome.UNCHANGED]
        after = document_store.snapshot_id()
        assert after != before
        assert put_all(document_store, fixed) == [PutOutcome.UNCHANGED]
        assert document_store.snapshot_id() == after
        assert document_store.get_revisions(article.article_id) == [article.model_copy(update=right)]
        in_sport = {"field": "meta.section", "operator": "==", "value": "sport"}
        early = {"field": "meta.published_at", "operator": "<", "value": START.isoformat()}
        for filters in (in_sport, early):
            found = document_store.keyword_search("harbour", top_k=50, filters=filters)
            assert [d.meta for d in found] == [d.meta for d in self._by_id(article.model_copy(update=right), found)]
            assert len(found) == len(article_documents(article)) > 2
        assert document_store.counts().sources[0].by_month == {"2019-12": 1, "2020-01": 1}

    @staticmethod
    def _by_id(article, found):
        expected = {document.id: document for document in article_documents(article)}
        return [expected[document.id] for document in found]

    def test_a_correction_keeps_what_is_not_given_vectors_and_that_the_page_is_gone(self, document_store):
        article = make_article("a", section="local", language="en")
        gone_at = datetime(2021, 5, 1, tzinfo=UTC)
        with document_store.writer() as writer:
            writer.use_embedder("test-embedder")
            writer.put(article, with_vectors(article, [1.0, 0.0, 0.0]))
        poorer = article.model_copy(update={"section": None, "published_at": None, "language": "de"})
        with document_store.writer() as writer:
            writer.mark_gone(article.article_id, gone_at=gone_at)
            assert writer.put(poorer, article_documents(poorer)) is PutOutcome.CORRECTED
        expected = article.model_copy(update={"language": "de", "gone_at": gone_at})
        assert document_store.get_articles([article.article_id]) == {article.article_id: expected}
        (found,) = document_store.vector_search([1.0, 0.0, 0.0], top_k=3)
        assert (found.meta["language"], found.meta["section"]) == ("de", "local")

    def test_a_correction_that_is_not_committed_leaves_no_trace(self, document_store):
        article = make_article("a", section="local")
        put_all(document_store, article)
        before = document_store.snapshot_id()
        with pytest.raises(RuntimeError, match="stop"):
            put_and_stop(document_store, article.model_copy(update={"section": "sport"}), commit_before=None)
        assert document_store.get_articles([article.article_id]) == {article.article_id: article}
        assert document_store.snapshot_id() == before

    def test_corrected_content_has_the_snapshot_of_content_that_was_right_at_once(self, document_store):
        right = make_article("a", section="sport")
        put_all(document_store, right)
        expected = document_store.snapshot_id()
        with document_store.writer() as writer:
            writer.delete(right.article_id)
        wrong = right.model_copy(update={"section": "local"})
        assert put_all(document_store, wrong, right) == [PutOutcome.NEW, PutOutcome.CORRECTED]
        assert document_store.snapshot_id() == expected

    def test_a_changed_article_replaces_its_passages_and_keeps_the_earlier_revision(self, document_store):
        first = make_article("a", body=long_body(word="harbour"))
        second = make_article("a", body=long_body(sentences=20, word="airport"), first_seen_at=START + DAY)
        put_all(document_store, first, make_article("b"))
        put_all(document_store, second)
        assert document_store.keyword_search("harbour", top_k=5) == []
        assert {d.meta["revision"] for d in document_store.keyword_search("airport", top_k=5)} == {2}
        revisions = document_store.get_revisions(first.article_id)
        assert [(r.revision, r.body) for r in revisions] == [(1, first.body), (2, second.body)]
        assert document_store.get_articles([first.article_id])[first.article_id].body == second.body
        counts = document_store.counts()
        assert (counts.articles, counts.revisions) == (2, 1)
        assert counts.passages == document_store.count_documents() == len(article_documents(second)) + 1

    def test_a_revision_within_one_commit_counts_like_any_other(self, document_store):
        first, second = make_article("a"), make_article("a", body="All new.", first_seen_at=START + DAY)
        assert put_all(document_store, first, second, first) == [
            PutOutcome.NEW,
            PutOutcome.CHANGED,
            PutOutcome.UNCHANGED,
        ]
        assert [r.body for r in document_store.get_revisions(first.article_id)] == [first.body, second.body]
        assert document_store.count_documents() == 1

    def test_an_article_that_went_back_to_its_first_text_has_three_revisions(self, document_store):
        first, second = make_article("a"), make_article("a", body="All new.", first_seen_at=START + DAY)
        third = first.model_copy(update={"first_seen_at": START + 2 * DAY})
        for article in (first, second, third):
            put_all(document_store, article)
        assert [r.revision for r in document_store.get_revisions(first.article_id)] == [1, 2, 3]
        assert [d.content for d in document_store.filter_documents()] == [first.body]

    def test_a_revision_that_is_dated_before_the_one_it_follows_is_current(self, document_store):
        first = make_article("a", first_seen_at=START + timedelta(microseconds=500_000))
        second = make_article("a", body="Better extracted.", revision=2, first_seen_at=START)
        third = first.model_copy(update={"revision": 3, "first_seen_at": START})
        assert put_all(document_store, first, second) == [PutOutcome.NEW, PutOutcome.CHANGED]
        (found,) = document_store.filter_documents()
        assert (found.content, found.meta["revision"]) == (second.body, 2)
        assert found.meta["first_seen_at"] == first.first_seen_at.isoformat()
        assert put_all(document_store, first, second) == [PutOutcome.UNCHANGED, PutOutcome.UNCHANGED]
        assert put_all(document_store, third) == [PutOutcome.CHANGED]
        before = document_store.snapshot_id()
        assert put_all(document_store, first, second, third) == [PutOutcome.UNCHANGED] * 3
        rebuild_from_itself(document_store)
        assert document_store.snapshot_id() == before
        revisions = document_store.get_revisions(first.article_id)
        assert [r.body for r in revisions] == [first.body, second.body, first.body]
        assert {r.first_seen_at for r in revisions} == {first.first_seen_at}
        assert [d.content for d in document_store.filter_documents()] == [first.body]

    def test_a_deleted_article_is_gone_with_its_revisions(self, document_store):
        article = make_article("a")
        put_all(
            document_store, article, make_article("a", body="Changed.", first_seen_at=START + DAY), make_article("b")
        )
        with document_store.writer() as writer:
            assert writer.delete(article.article_id)
            assert not writer.delete("0000000000000000")
        assert document_store.get_revisions(article.article_id) == []
        assert names(document_store.filter_documents()) == ["b"]

    def test_the_writer_tells_what_is_there_as_it_sees_it(self, document_store):
        first, other = make_article("a"), make_article("b")
        put_all(document_store, first)
        second = make_article("a", body="Changed.", first_seen_at=START + DAY)
        with document_store.writer() as writer:
            names = [first.article_id, other.article_id, first.article_id]
            assert writer.current(names) == {first.article_id: first}
            writer.put(other, article_documents(other))
            writer.put(second, article_documents(second))
            found = writer.current(names)
            assert {name: article.body for name, article in found.items()} == {
                first.article_id: "Changed.",
                other.article_id: other.body,
            }
            writer.delete(other.article_id)
            assert other.article_id not in writer.current(names)

    def test_an_article_that_is_deleted_and_put_again_is_there_once(self, document_store):
        article = make_article("a", body=long_body())
        put_all(document_store, article)
        before = document_store.snapshot_id()
        with document_store.writer() as writer:
            writer.delete(article.article_id)
            assert writer.put(article, article_documents(article)) is PutOutcome.NEW
        assert document_store.snapshot_id() == before
        assert document_store.count_documents() == len(article_documents(article))
        assert document_store.get_revisions(article.article_id) == [article]

    def test_a_gone_article_stays_evidence(self, document_store):
        article = make_article("a")
        put_all(document_store, article)
        gone_at = datetime(2021, 5, 1, tzinfo=UTC)
        with document_store.writer() as writer:
            assert writer.mark_gone(article.article_id, gone_at=gone_at)
            assert not writer.mark_gone("0000000000000000", gone_at=gone_at)
        assert document_store.get_articles([article.article_id])[article.article_id].gone_at == gone_at
        assert names(document_store.keyword_search("council", top_k=5)) == ["a"]

    def test_an_article_whose_page_came_back_with_the_same_text_is_no_longer_gone(self, document_store):
        article = make_article("a", body=long_body())
        put_all(document_store, article)
        before = document_store.snapshot_id()
        with document_store.writer() as writer:
            writer.mark_gone(article.article_id, gone_at=START + 2 * DAY)
        earlier, later = (article.model_copy(update={"first_seen_at": START + n * DAY}) for n in (1, 3))
        assert put_all(document_store, article, earlier) == [PutOutcome.UNCHANGED, PutOutcome.UNCHANGED]
        assert document_store.get_articles([article.article_id])[article.article_id].gone_at == START + 2 * DAY
        assert put_all(document_store, later) == [PutOutcome.CORRECTED]
        assert document_store.get_revisions(article.article_id) == [article]
        assert document_store.snapshot_id() == before

    # -- vectors -----------------------------------------------------------------------------------------------------

    def _put_three(self, store: EvidenceStore) -> None:
        with store.writer() as writer:
            writer.use_embedder("test-embedder")
            for name, vector in (("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0]), ("xy", [0.7, 0.7, 0.1])):
                article = make_article(name, source=name)
                writer.put(article, with_vectors(article, vector))

    def test_vectors_rank_by_cosine(self, document_store):
        self._put_three(document_store)
        found = document_store.vector_search([2.0, 0.2, 0.0], top_k=3)
        assert names(found) == ["x", "xy", "y"]
        assert found[0].score > found[1].score > found[2].score

    def test_vector_search_keeps_filters_time_and_current_revisions(self, document_store):
        self._put_three(document_store)
        changed = make_article("x", source="x", body="Now about something else.", first_seen_at=START + DAY)
        with document_store.writer() as writer:
            writer.use_embedder("test-embedder")
            writer.put(changed, with_vectors(changed, [0.0, 0.0, 1.0]))
        query = [1.0, 0.0, 0.0]
        assert [
            d.meta["revision"] for d in document_store.vector_search(query, top_k=9) if d.meta["source"] == "x"
        ] == [2]
        past = document_store.vector_search(query, top_k=9, as_of=START)
        assert (names(past)[0], past[0].meta["revision"]) == ("x", 1)
        only_y = {"field": "meta.source", "operator": "==", "value": "y"}
        assert names(document_store.vector_search(query, top_k=9, filters=only_y)) == ["y"]

    def test_hybrid_search_fuses_both_rankings(self, document_store):
        self._put_three(document_store)
        found = document_store.hybrid_search("y", [0.0, 1.0, 0.0], top_k=2)
        assert names(found)[0] == "y"
        assert len(found) == 2

    def test_a_vector_of_another_length_is_refused(self, document_store):
        self._put_three(document_store)
        with pytest.raises(StoreVersionError, match="3"):
            document_store.vector_search([1.0, 0.0], top_k=3)

    def test_an_index_without_vectors_says_so(self, document_store):
        put_all(document_store, make_article("a"))
        with pytest.raises(StoreVersionError, match="no vectors"):
            document_store.vector_search([1.0, 0.0], top_k=3)

    def test_another_embedder_is_refused(self, document_store):
        self._put_three(document_store)
        assert document_store.counts().embedder == "test-embedder"
        with pytest.raises(StoreVersionError, match="test-embedder"), document_store.writer() as writer:
            writer.use_embedder("other")

    def test_the_index_job_makes_vectors_of_a_small_index_by_itself(self, document_store, tmp_path):
        settings = load_settings({"data_dir": tmp_path}, environment={})
        lines = tmp_path / "articles.jsonl"
        for name, body in (("ships", "Ships left the harbour."), ("rain", "It rained all day.")):
            lines.write_text(make_article(name, body=body).model_dump_json() + "\n")
            index_articles(settings, document_store, articles=lines)
        embedder = open_embedder(settings)
        assert document_store.counts().embedder == embedder.identity
        query = embedder.embed(["Boats sailed from the port."])[0].tolist()
        assert names(document_store.vector_search(query, top_k=2)) == ["ships", "rain"]

    # -- rebuilding --------------------------------------------------------------------------------------------------

    def test_all_revisions_are_listed_in_the_order_they_were_seen(self, document_store):
        first, other = make_article("a"), make_article("b", first_seen_at=START + DAY)
        second = make_article("a", body="Changed.", first_seen_at=START + 2 * DAY)
        put_all(document_store, other, first)
        put_all(document_store, second)
        listed = list(document_store.iter_articles())
        assert [(a.url[-1], a.revision) for a in listed] == [("a", 1), ("b", 1), ("a", 2)]

    def test_a_rebuild_replaces_the_index_in_one_step(self, document_store):
        put_all(document_store, make_article("a"), make_article("b"))
        two = document_store.snapshot_id()
        with document_store.rebuild() as writer:
            for article in document_store.iter_articles():
                writer.put(article, article_documents(article))
                writer.commit()
            assert document_store.count_documents() == 2
            assert document_store.snapshot_id() == two
        assert document_store.snapshot_id() == two
        with document_store.rebuild() as writer:
            new = make_article("c")
            writer.put(new, article_documents(new))
        assert names(document_store.filter_documents()) == ["c"]

    @pytest.mark.parametrize("count", [2, 11])
    def test_a_rebuild_keeps_revisions_that_were_first_seen_at_one_time(self, document_store, count):
        revisions = [make_article("a", body=f"The harbour holds {number} ships.") for number in range(count)]
        put_all(document_store, *revisions)
        before = document_store.snapshot_id()
        rebuild_from_itself(document_store)
        assert document_store.snapshot_id() == before
        kept = document_store.get_revisions(revisions[0].article_id)
        assert [(r.revision, r.body) for r in kept] == [(n, r.body) for n, r in enumerate(revisions, start=1)]
        assert [d.content for d in document_store.filter_documents()] == [revisions[-1].body]

    def test_a_rebuild_that_fails_changes_nothing(self, document_store):
        put_all(document_store, make_article("a"))
        with pytest.raises(RuntimeError, match="stop"), document_store.rebuild():
            raise RuntimeError("stop")
        assert names(document_store.filter_documents()) == ["a"]
        put_all(document_store, make_article("b"))
        assert document_store.count_documents() == 2

    # -- commits -----------------------------------------------------------------------------------------------------

    def test_an_exception_drops_what_was_not_committed(self, document_store):
        put_all(document_store, make_article("a"))
        before = document_store.snapshot_id()
        with pytest.raises(RuntimeError, match="stop"):
            put_and_stop(document_store, make_article("b"), commit_before=None)
        assert names(document_store.filter_documents()) == ["a"]
        assert document_store.snapshot_id() == before

    def test_a_commit_keeps_what_came_before_an_exception(self, document_store):
        with pytest.raises(RuntimeError, match="stop"):
            put_and_stop(document_store, make_article("b"), commit_before=make_article("a"))
        assert names(document_store.filter_documents()) == ["a"]

    def test_a_second_writer_is_refused(self, document_store):
        with document_store.writer(), pytest.raises(StoreLockedError, match=r"\d+"), document_store.writer():
            pytest.fail("two writers at a time")
        put_all(document_store, make_article("a"))
        assert document_store.count_documents() == 1

    def test_the_snapshot_id_follows_the_content_and_nothing_else(self, document_store):
        seen = {document_store.snapshot_id()}
        put_all(document_store, make_article("a"))
        one = document_store.snapshot_id()
        put_all(document_store, make_article("b"))
        two = document_store.snapshot_id()
        put_all(document_store, make_article("b"))
        assert document_store.snapshot_id() == two
        put_all(document_store, make_article("b", body="Changed.", first_seen_at=START + DAY))
        three = document_store.snapshot_id()
        with document_store.writer() as writer:
            writer.delete(make_article("b").article_id)
        assert document_store.snapshot_id() == one
        assert len(seen | {one, two, three}) == 4

    def test_counts_tell_sources_and_months(self, document_store):
        put_all(
            document_store,
            make_article("a"),
            make_article("b", published_at=datetime(2021, 3, 9, tzinfo=UTC), source="times"),
            make_article("c", published_at=None, source="times", section="sport"),
        )
        counts = document_store.counts()
        assert [(s.source, s.articles, s.by_month) for s in counts.sources] == [
            ("example", 1, {"2020-01": 1}),
            ("times", 2, {"2021-03": 1, "undated": 1}),
        ]
        assert counts.sections == ("sport",)
        assert (counts.first_published_at, counts.last_published_at) == (START, datetime(2021, 3, 9, tzinfo=UTC))
        put_all(document_store, make_article("a", body="Changed.", first_seen_at=START + DAY))
        assert document_store.counts().first_seen_at == counts.first_seen_at == START
        counts = document_store.counts()
        without_months = tuple(source.model_copy(update={"by_month": {}}) for source in counts.sources)
        assert document_store.counts(by_month=False) == counts.model_copy(
            update={"sources": without_months, "sections": None}
        )

    def test_closing_twice_is_harmless(self, document_store):
        put_all(document_store, make_article("a"))
        document_store.close()
        document_store.close()
