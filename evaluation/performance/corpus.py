"""
A corpus of any size, made of the sentences of real articles.

Sentences are drawn at random and joined to articles. A share of the capitalised words is replaced by made-up names, so
that the vocabulary grows with the corpus as that of real news does.
"""

import gzip
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.paths import SAMPLE
from core.sentences import sentence_spans
from core.types import Article, Model
from core.urls import article_id, content_hash

PASSAGES_PER_ARTICLE = 5
WORDS_PER_PASSAGE = 185
NAME_SHARE = 0.15
_SYLLABLES = ("ka", "ro", "mi", "ven", "tal", "os", "ber", "lin", "da", "sha", "qui", "nor", "wek", "zu", "pel", "an")
_FIRST_DAY = datetime(2015, 1, 1, tzinfo=UTC)
_DAYS = 3650


class Question(Model):
    """A query, and the article that its words were taken from."""

    text: str
    article_id: str


def sentences_of(path: Path | None = None) -> list[str]:
    """Return the sentences of a file of articles (None: the bundled sample), without very short ones."""
    source = path or SAMPLE / "articles.jsonl.gz"
    with gzip.open(source, "rt") if source.name.endswith(".gz") else source.open() as lines:
        bodies = [json.loads(line)["body"] for line in lines]
    found = (body[start:end] for body in bodies for start, end in sentence_spans(body))
    return [sentence for sentence in found if len(sentence.split()) >= 4]  # noqa: PLR2004 (words)


def make_articles(sentences: list[str], *, passages: int, seed: int = 1) -> Iterator[Article]:
    """Make articles until they have about so many passages."""
    chance = random.Random(seed)
    for number in range(-(-passages // PASSAGES_PER_ARTICLE)):
        yield _article(number, sentences, chance)


def make_questions(articles: list[Article], *, count: int, seed: int = 2) -> list[Question]:
    """Make natural-language questions out of runs of words of the articles."""
    chance = random.Random(seed)
    questions = []
    for _ in range(count):
        article = chance.choice(articles)
        words = chance.choice(article.body.split("\n\n")).split()
        length = chance.randint(6, 12)
        begin = chance.randrange(max(1, len(words) - length))
        opening = chance.choice(("What do we know about", "Is it true that", "When did", "How many", "Who said"))
        text = f"{opening} {' '.join(words[begin : begin + length]).strip('.,;:')}?"
        questions.append(Question(text=text, article_id=article.article_id))
    return questions


def _article(number: int, sentences: list[str], chance: random.Random) -> Article:
    parts = []
    for _ in range(PASSAGES_PER_ARTICLE):
        words = 0
        chosen: list[str] = []
        while words < WORDS_PER_PASSAGE:
            sentence = _renamed(chance.choice(sentences), chance, number)
            chosen.append(sentence)
            words += sentence.count(" ") + 1
        parts.append(" ".join(chosen))
    body = "\n\n".join(parts)
    headline = " ".join(_renamed(chance.choice(sentences), chance, number).split()[:9])
    published = _FIRST_DAY + timedelta(days=chance.randrange(_DAYS), seconds=chance.randrange(86400))
    url = f"https://site-{number % 40}.example/{number}"
    return Article(
        article_id=article_id(url),
        url=url,
        headline=headline,
        body=body,
        published_at=published,
        first_seen_at=published,
        source=f"site-{number % 40}",
        section=f"section-{number % 7}",
        language="en",
        content_hash=content_hash(headline, body),
    )


def _renamed(sentence: str, chance: random.Random, number: int) -> str:
    """Put made-up names in place of some capitalised words; new names go on turning up."""
    if chance.random() > NAME_SHARE * 4:
        return sentence
    words = sentence.split(" ")
    for place, word in enumerate(words):
        if word[:1].isupper() and place and chance.random() < NAME_SHARE:
            words[place] = _name(min(int(chance.paretovariate(0.7)), 1000 + 2 * number))
    return " ".join(words)


def _name(number: int) -> str:
    syllables = []
    while number:
        number, rest = divmod(number, len(_SYLLABLES))
        syllables.append(_SYLLABLES[rest])
    return "".join(syllables).capitalize()
