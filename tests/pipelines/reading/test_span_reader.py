"""Pieces are read as they are judged where that is wanted, and spans stay those of the article."""

from haystack import Document

from models.evidence import EvidenceReading
from pipelines.contracts.evidence import Evidence, piece_premise
from pipelines.reading.span_reader import EvidenceReader
from tests.sample_articles import make_article

BODY = "Its repairs cost 48 million crowns."


class _Reader:
    """Finds a word in every text."""

    def __init__(self, word):
        self.word, self.asked = word, []

    def load(self):
        pass

    def read(self, pairs):
        self.asked += pairs
        return [self._reading(text) for _, text in pairs]

    def _reading(self, text):
        start = text.index(self.word)
        return EvidenceReading(
            start=start,
            end=start + len(self.word),
            span_score=1.0,
            span_logit=1.0,
            no_answer_logit=0.0,
            supports=0.2,
            refutes=0.2,
            neither=0.6,
            relation_logits=(0.0, 0.0, 1.0),
            relevance=0.9,
        )


def _finding(word, *, behind_headline):
    article = make_article("bridge", headline="Osterholm bridge reopens", body=BODY)
    document = Document(id="p", content=BODY, meta={"headline": article.headline, "start": 0})
    reader = _Reader(word)
    found = EvidenceReader(reader=reader).run("q", [document], {"p": article}, behind_headline=behind_headline)
    (finding,) = found["findings"]
    return finding, reader.asked


def test_a_piece_is_read_alone_or_as_a_statement_is_judged_by_it():
    assert _finding("48", behind_headline=False)[1] == [("q", BODY)]
    finding, asked = _finding("48", behind_headline=True)
    item = Evidence(
        article=finding.article, start=0, end=len(BODY), text=BODY, context=BODY, context_start=0, relevance=1, score=1
    )
    assert asked == [("q", piece_premise(item))]


def test_a_span_behind_a_headline_stands_where_it_stands_in_the_article():
    finding, _ = _finding("48 million", behind_headline=True)
    assert (finding.digest.span, finding.digest.start) == ("48 million", BODY.index("48"))
    assert finding.digest.sentence == BODY


def test_a_span_in_the_headline_is_none():
    finding, _ = _finding("Osterholm", behind_headline=True)
    assert finding.digest.span == ""
