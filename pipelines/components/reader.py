"""The default reader: finds answer spans and relations with the shipped ONNX evidence model."""

from haystack import Document, component

from core.types import Article, Digest
from models.calibration import Calibration
from models.evidence import EvidenceReading
from pipelines.findings import Finding
from pipelines.pieces import Piece, best_pieces, sentences_of
from pipelines.resources import Resources


@component
class EvidenceReader:
    """
    Read pieces of passages with the ONNX evidence model.

    :param max_pieces: Pieces of about a hundred words to read for a query.
    """

    def __init__(self, *, max_pieces: int = 20) -> None:
        self.max_pieces = max_pieces
        self.resources: Resources | None = None

    def warm_up(self) -> None:
        """Load the model."""
        if self.resources is not None:
            self.resources.evidence_model().load()

    @component.output_types(findings=list[Finding])
    def run(self, query: str, documents: list[Document], articles: dict[str, Article]) -> dict[str, list[Finding]]:
        """
        Read passages for a query.

        :param documents: Passages, best first; those without text are left out.
        :param articles: Passage id to article.
        :returns: `findings`, one per piece, in the order of `documents`.
        """
        assert self.resources is not None, "the engine sets the resources"  # noqa: S101
        pieces = best_pieces(query, documents, max_pieces=self.max_pieces)
        readings = self.resources.evidence_model().read([(query, piece.text) for piece in pieces])
        calibration = self.resources.calibration()
        return {
            "findings": [
                _finding(piece, articles[piece.document.id], reading, calibration)
                for piece, reading in zip(pieces, readings, strict=True)
            ]
        }


def _finding(piece: Piece, article: Article, reading: EvidenceReading, calibration: Calibration) -> Finding:
    start, end = piece.start + reading.start, piece.start + reading.end
    sentence = sentence_around(piece.text, reading.start, reading.end)
    probability = calibration.answer_probability(
        span_score=reading.span_score,
        relevance=reading.relevance,
        overlap=piece.overlap,
        passage_overlap=piece.passage_overlap,
        rank=piece.rank,
    )
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


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentences that hold the span; all of the text if none does."""
    spans = [span for span in sentences_of(text) if span[0] < max(end, start + 1) and start < span[1]]
    return (spans[0][0], spans[-1][1]) if spans else (0, len(text))
