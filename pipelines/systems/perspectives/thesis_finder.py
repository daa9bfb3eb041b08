"""Find, in each article, the sentences that say something to the query."""

import re

from haystack import Document, component

from core.types import Article
from pipelines.contracts.evidence import Evidence
from pipelines.reading.windows import query_weights, sentences_of, share, word_stems
from pipelines.systems.perspectives.stance_words import leaning

_TAKES_SIDES = re.compile(
    r"\b(?:should|must|ought|need(?:s|ed)? to|because|argu\w+|warn\w*|oppos\w+|support\w*|defend\w*|"
    r"critici[sz]\w+|welcom\w+|condemn\w*|prais\w+|reject\w*|back(?:s|ed)|urg\w+|fear\w*|hop(?:es?|ed)|believ\w+|claim\w*|against|"
    r"in favou?r|better|worse|dangerous|unfair|wrong|right to|benefits?|harm\w*|threat\w*|risk\w*|said|says|told)\b",
    re.IGNORECASE,
)
_CUE_WEIGHT = 0.05
"""For each kind of word that takes sides, up to three."""
_HEAD_WEIGHT = 0.5
MIN_WORDS = 6
MAX_WORDS = 70


@component
class ThesisFinder:
    """
    Choose sentences by the words that they share with the query, rare ones counting more, and by words of opinion.

    :param max_articles: Articles to look in, one for each origin, the best-ranked first.
    :param per_article: Sentences of each.
    """

    def __init__(self, *, max_articles: int = 14, per_article: int = 4) -> None:
        self.max_articles = max_articles
        self.per_article = per_article

    @component.output_types(evidence=list[Evidence])
    def run(self, query: str, documents: list[Document], articles: dict[str, Article]) -> dict[str, list[Evidence]]:
        """
        Choose.

        :param documents: Passages, best first.
        :param articles: Passage id to article.
        :returns: `evidence`: candidates, article by article, the best of each first.
        """
        chosen = _one_of_each_origin(documents, articles)[: self.max_articles]
        weights = query_weights(query, [document.content or "" for document in documents])
        found: list[Evidence] = []
        for article in chosen:
            passages = [one for one in documents if articles[one.id].article_id == article.article_id]
            found += _best(article, passages, weights)[: self.per_article]
        return {"evidence": found}


def takes_sides(sentence: str) -> bool:
    """Say whether a sentence judges, demands or tells what somebody said: others report, and take no side."""
    return _TAKES_SIDES.search(sentence) is not None or leaning(sentence, "") != 0


def _one_of_each_origin(documents: list[Document], articles: dict[str, Article]) -> list[Article]:
    origins: dict[str, Article] = {}
    for document in documents:
        article = articles[document.id]
        origins.setdefault(article.origin_id or article.article_id, article)
    return list(origins.values())


def _best(article: Article, passages: list[Document], weights: dict[str, float]) -> list[Evidence]:
    head = word_stems(article.headline)
    found: dict[int, Evidence] = {}
    for passage in passages:
        base, text = int(passage.meta["start"]), passage.content or ""
        for start, end in sentences_of(text):
            sentence = text[start:end]
            if MIN_WORDS <= len(sentence.split()) <= MAX_WORDS:
                found[base + start] = Evidence(
                    article=article,
                    start=base + start,
                    end=base + end,
                    text=sentence,
                    relevance=_score(sentence, head, weights),
                    score=0.0,
                )
    return sorted(found.values(), key=lambda item: (-item.relevance, item.start))


def _score(sentence: str, head: frozenset[str], weights: dict[str, float]) -> float:
    stems = word_stems(sentence)
    own, with_head = share(weights, stems), share(weights, stems | head)
    cues = len({match.group().lower() for match in _TAKES_SIDES.finditer(sentence)})
    raw = (own + _HEAD_WEIGHT * with_head) / (1 + _HEAD_WEIGHT) + _CUE_WEIGHT * min(cues, 3)
    return min(1.0, raw)
