"""What a person reads of a result."""

from core.types import QueryKind, Quote, Reference, Relation, Request, Result, Status, Verdict
from pipelines.rendering.render import CLOSEST, to_markdown


def _quote(text, relation, score=0.5):
    return Quote(
        text=text, start=0, end=len(text), relation=relation, score=score, content_hash="0", link="https://a.example/"
    )


def _result(*quotes_by_article, verdict, answer="It rained Doc[1]."):
    references = tuple(
        Reference(
            number=number,
            article_id=f"a{number}",
            revision=1,
            url="https://a.example/",
            headline=f"Headline {number}",
            published_at=None,
            source="A",
            origin_id=f"a{number}",
            quotes=quotes,
        )
        for number, quotes in enumerate(quotes_by_article, start=1)
    )
    return Result(
        system="verify",
        request=Request(text="Did it rain?"),
        kind=QueryKind.QUESTION,
        status=Status.OK,
        verdict=verdict,
        answer=answer,
        references=references,
        run_id="r",
    )


def test_quotes_that_only_mention_the_matter_give_way_to_those_that_settle_it():
    settles = _quote("It rained.", Relation.SUPPORTS)
    aside = _quote("Umbrellas are black.", Relation.MENTIONS)
    text = to_markdown(_result((settles, aside), (aside,), verdict=Verdict.VERIFIED))
    assert "It rained." in text
    assert "Umbrellas" not in text
    assert "Headline 2" not in text


def test_a_cited_article_is_named_even_when_its_quotes_settle_nothing():
    settles = _quote("It rained.", Relation.SUPPORTS)
    aside = _quote("Umbrellas are black.", Relation.MENTIONS)
    text = to_markdown(_result((aside,), (settles,), verdict=Verdict.VERIFIED))
    assert "Headline 1" in text
    assert "Umbrellas" not in text


def test_the_closest_quotes_are_shown_where_none_settles_anything():
    asides = tuple(_quote(f"Cloud {score}.", Relation.MENTIONS, score / 10) for score in range(1, 7))
    text = to_markdown(_result(asides, verdict=Verdict.UNVERIFIED, answer=""))
    assert [f"Cloud {score}." in text for score in range(1, 7)] == [False, False, False, *[True] * CLOSEST]


def test_counts_agree_with_their_nouns():
    result = _result((_quote("It rained.", Relation.SUPPORTS),), verdict=Verdict.VERIFIED)
    one = result.model_copy(update={"articles_supporting": 1, "origins_supporting": 1})
    many = result.model_copy(update={"articles_supporting": 3, "origins_supporting": 2})
    assert "supported by 1 article of 1 origin_" in to_markdown(one)
    assert "supported by 3 articles of 2 origins_" in to_markdown(many)
