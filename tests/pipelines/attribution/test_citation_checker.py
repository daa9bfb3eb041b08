"""Answers by plain code: an article's words stay as they are, and what they hold is no citation."""

import pytest

from core.types import QueryKind
from pipelines.attribution.citation_checker import CitationChecker
from pipelines.contracts.evidence import Draft, Evidence
from pipelines.generation.extractive import ExtractiveGenerator
from tests.sample_articles import make_article


def item(name: str, body: str) -> Evidence:
    article = make_article(name, body=body)
    return Evidence(article=article, start=0, end=len(body), text=body, relevance=0.9, score=0.9)


def check(*evidence: Evidence):
    draft = ExtractiveGenerator().run(kind=QueryKind.QUESTION, evidence=list(evidence))["draft"]
    return CitationChecker().run(draft=draft, evidence=list(evidence))["checked"]


@pytest.mark.parametrize(
    "text",
    [
        "The fire burned 12 km² of forest near Bergen.",
        "The fire [2] burned a forest near Bergen.",
        "The fire burned a forest near Bergen.[1][2]",
        "The mayor resigned.¹ He had said so.²",
        "According to [2], the mayor resigned.",
        "eBay bought the forest near Bergen!",
        'The mayor said: "We leave."',
    ],
)
@pytest.mark.parametrize("others", [0, 1])
def test_an_articles_words_stay_and_cite_nothing(text: str, others: int) -> None:
    checked = check(item("a", text), *(item(f"b{number}", "It rained.") for number in range(others)))
    assert checked.text.count("Doc[1]") == checked.text.count("Doc[") == 1
    assert checked.text.replace(" Doc[1]", "") == text
    assert checked.warnings == ()


def test_the_citation_stands_before_the_full_stop() -> None:
    assert check(item("a", "It rained on 12 km²\nof forest.")).text == "It rained on 12 km² of forest Doc[1]."


def test_quotes_and_citations_that_do_not_hold_are_dropped_and_counted() -> None:
    false = item("a", "It rained.").model_copy(update={"text": "It snowed."})
    draft = Draft(text="It snowed Doc[1]. It rained Doc[2] Doc[7].", generator="extractive")
    checked = CitationChecker().run(draft=draft, evidence=[false, item("b", "It rained.")])["checked"]
    assert checked.text == "It snowed. It rained Doc[2]."
    assert [notice.code for notice in checked.warnings] == ["quote_dropped", "citation_dropped"]
    assert checked.warnings[1].message.startswith("2 citations")
