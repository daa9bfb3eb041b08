"""The default reader: finds answer spans and relations with the shipped ONNX evidence model."""

from haystack import Document, component

from core.types import Article, Digest
from models.calibration import UNCALIBRATED, Calibration
from models.evidence import EvidenceReading
from pipelines.contracts.evidence import Finding, premise_head
from pipelines.contracts.span_reader import SpanReader
from pipelines.reading.answer_features import Candidate, answer_features, candidate
from pipelines.reading.windows import Piece, best_pieces, sentence_around


@component
class EvidenceReader:
    """
    Read pieces of passages with the ONNX evidence model.

    >>> passages = store.keyword_search("Osterholm bridge", top_k=3)
    >>> articles = {passage.id: article for passage in passages}
    >>> reader = EvidenceReader(reader=model, calibration=calibration)
    >>> (finding,) = reader.run("How much did the repairs cost?", passages, articles)["findings"]
    >>> finding.digest.span
    '48 million crowns'

    :param reader: The model.
    :param calibration: What its scores are worth.
    :param max_pieces: Pieces of about a hundred words to read for a query.
    """

    def __init__(self, *, reader: SpanReader, calibration: Calibration = UNCALIBRATED, max_pieces: int = 20) -> None:
        self.reader = reader
        self.calibration = calibration
        self.max_pieces = max_pieces

    def warm_up(self) -> None:
        """Load the model."""
        self.reader.load()

    @component.output_types(findings=list[Finding])
    def run(
        self,
        query: str,
        documents: list[Document],
        articles: dict[str, Article],
        max_pieces: int | None = None,
        behind_headline: bool = False,
    ) -> dict[str, list[Finding]]:
        """
        Read passages for a query.

        :param documents: Passages, best first; those without text are left out.
        :param articles: Passage id to article.
        :param max_pieces: Fewer or more pieces than usual; None: as many as the constructor says.
        :param behind_headline: Read a piece as a statement is judged by it, so that both are one reading.
        :returns: `findings`, one per piece, in the order of `documents`.
        """
        pieces = best_pieces(query, documents, max_pieces=max_pieces or self.max_pieces)
        heads = [premise_head(articles[piece.document.id]) if behind_headline else "" for piece in pieces]
        texts = [f"{head}{piece.text}" for head, piece in zip(heads, pieces, strict=True)]
        read = self.reader.read([(query, text) for text in texts])
        readings = [_within(*pair) for pair in zip(heads, read, strict=True)]
        features = [answer_features(query, _candidate(*pair)) for pair in zip(pieces, readings, strict=True)]
        return {
            "findings": [
                _finding(piece, articles[piece.document.id], reading, described, self.calibration)
                for piece, reading, described in zip(pieces, readings, features, strict=True)
            ]
        }


def _within(head: str, reading: EvidenceReading) -> EvidenceReading:
    """Count a span from the beginning of the piece; one in the headline is none."""
    if not head:
        return reading
    span = {"start": max(0, reading.start - len(head)), "end": max(0, reading.end - len(head))}
    return reading.model_copy(update=span)


def _candidate(piece: Piece, reading: EvidenceReading) -> Candidate:
    return candidate(piece.text, str(piece.document.meta["headline"]), reading, rank=piece.rank)


def _finding(
    piece: Piece,
    article: Article,
    reading: EvidenceReading,
    features: dict[str, float],
    calibration: Calibration,
) -> Finding:
    start, end = piece.start + reading.start, piece.start + reading.end
    sentence = sentence_around(piece.text, reading.start, reading.end)
    probability = calibration.answer_probability(features)
    supports, refutes, neither = calibration.relation_probabilities(reading.relation_logits)
    digest = Digest(
        passage_id=piece.document.id,
        article_id=article.article_id,
        start=start,
        end=end,
        span=article.body[start:end],
        score=reading.span_score,
        probability=probability,
        no_answer_probability=1.0 - probability,
        sentence_start=piece.start + sentence[0],
        sentence_end=piece.start + sentence[1],
        sentence=piece.text[sentence[0] : sentence[1]],
        context=piece.text,
        relevance=reading.relevance,
    )
    return Finding(
        article=article,
        digest=digest,
        context_start=piece.start,
        rank=piece.rank,
        supports=supports,
        refutes=refutes,
        neither=neither,
    )
