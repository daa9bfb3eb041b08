import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.sentences import sentence_spans
from indexing.documents import article_documents, renumber, to_document
from indexing.passages import LONGEST_WORDS, TARGET_WORDS, split_passages
from tests.sample_articles import long_body, make_article


def test_a_short_article_is_one_passage():
    article = make_article("a", body="It rained. Nobody minded.")
    (passage,) = split_passages(article)
    assert (passage.start, passage.end, passage.text) == (0, len(article.body), article.body)


def test_passages_hold_about_the_target_and_end_with_sentences():
    article = make_article("a", body=long_body(sentences=200))
    passages = split_passages(article)
    ends = {end for _, end in sentence_spans(article.body)}
    assert all(passage.end in ends for passage in passages)
    sizes = [len(passage.text.split()) for passage in passages]
    assert all(TARGET_WORDS <= size <= TARGET_WORDS + 20 for size in sizes[:-1])


def test_a_short_rest_joins_the_passage_before_it():
    body = f"{long_body(sentences=14)} That was all."
    assert len(split_passages(make_article("a", body=body))) == 1


def test_a_sentence_without_end_is_cut_between_words():
    body = " ".join(f"word{n}" for n in range(5000))
    passages = split_passages(make_article("a", body=body))
    assert len(passages) > 10
    assert all(len(passage.text.split()) <= LONGEST_WORDS for passage in passages)
    assert " ".join(passage.text for passage in passages) == body


@settings(max_examples=200)
@given(st.text(min_size=1, max_size=400).filter(str.strip), st.integers(1, 40))
def test_passages_cover_every_character_in_order_and_never_overlap(text, repeat):
    body = (text + " ") * repeat
    position = 0
    for passage in split_passages(make_article("a", body=body)):
        assert passage.text == body[passage.start : passage.end]
        assert not body[position : passage.start].strip()
        position = passage.end
    assert not body[position:].strip()


@pytest.mark.parametrize("language", [None, "en", "zh", "xx"])
def test_any_language_can_be_split(language):
    body = "第一句话。第二句话。" * 300
    passages = split_passages(make_article("a", body=body, language=language))
    assert "".join(passage.text for passage in passages) == body


def test_names_are_stable_and_tell_the_revision():
    article = make_article("a", body=long_body())
    first, again = article_documents(article), article_documents(article)
    assert [d.id for d in first] == [d.id for d in again]
    assert first[1].id == f"{article.article_id}-1-1"
    changed, documents = renumber(article, first, 4)
    assert changed.revision == documents[1].meta["revision"] == 4
    assert documents[1].id == f"{article.article_id}-4-1"


def test_documents_carry_the_article():
    article = make_article("a", section="local", language="en", published_at=None)
    (passage,) = split_passages(article)
    document = to_document(article, passage)
    assert document.content == passage.text
    assert document.meta == {
        "article_id": article.article_id,
        "revision": 1,
        "headline": "Nothing new",
        "url": "https://news.example/a",
        "source": "example",
        "section": "local",
        "language": "en",
        "published_at": None,
        "first_seen_at": "2020-01-01T00:00:00+00:00",
        "origin_id": article.article_id,
        "content_hash": article.content_hash,
        "position": 0,
        "start": 0,
        "end": len(article.body),
    }
