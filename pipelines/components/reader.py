"""The default reader: finds answer spans and relations with the shipped ONNX evidence model."""

import math

from haystack import Document, component

from core.sentences import sentence_spans
from core.types import Article, Digest
from models.evidence import EvidenceReading
from pipelines.excerpts import Excerpt, excerpt
from pipelines.findings import Finding
from pipelines.resources import Resources


@component
class EvidenceReader:
    """
    Read passages with the ONNX evidence model.

    :param max_words: A longer passage is read in part: the run of sentences that shares most words with the query.
    """

    def __init__(self, *, max_words: int = 130) -> None:
        self.max_words = max_words
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
        :returns: `findings`, one per passage, in the order of `documents`.
        """
        assert self.resources is not None, "the engine sets the resources"  # noqa: S101
        passages = [document for document in documents if (document.content or "").strip()]
        excerpts = [excerpt(query, document.content or "", max_words=self.max_words) for document in passages]
        readings = self.resources.evidence_model().read([(query, piece.text) for piece in excerpts])
        return {
            "findings": [
                _finding(document, articles[document.id], piece, reading, rank=rank)
                for rank, (document, piece, reading) in enumerate(zip(passages, excerpts, readings, strict=True))
            ]
        }


def _finding(document: Document, article: Article, piece: Excerpt, reading: EvidenceReading, *, rank: int) -> Finding:
    base = int(document.meta["start"])
    start, end = base + piece.start + reading.start, base + piece.start + reading.end
    sentence_start, sentence_end = sentence_around(document.content or "", start - base, end - base)
    probability = 1.0 / (1.0 + math.exp(-reading.span_score))
    digest = Digest(
        passage_id=document.id,
        article_id=article.article_id,
        start=start,
        end=end,
        span=article.body[start:end],
        score=reading.span_score,
        probability=probability,
        no_answer_probability=1.0 - probability,
        sentence_start=base + sentence_start,
        sentence_end=base + sentence_end,
        sentence=article.body[base + sentence_start : base + sentence_end],
        context=document.content or "",
        relevance=reading.relevance,
    )
    return Finding(
        article=article,
        digest=digest,
        rank=rank,
        supports=reading.supports,
        refutes=reading.refutes,
        neither=reading.neither,
    )


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentences that hold the span; all of the text if none does."""
    spans = [span for span in sentence_spans(text) if span[0] < max(end, start + 1) and start < span[1]]
    return (spans[0][0], spans[-1][1]) if spans else (0, len(text))
