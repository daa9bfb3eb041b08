"""What is known of an answer before it is believed: the features that a calibration weighs."""

import math
import re
from dataclasses import dataclass

from models.evidence import EvidenceReading
from pipelines.reading.answer_types import expected_type, type_mismatch
from pipelines.reading.windows import word_stems

FEATURES = ("span_score", "log_rank", "names_missing", "type_mismatch", "span_in_question")
"""
Left out, since held-out answers were judged no better with them and questions in free wording worse: relevance, length
of the span, overlap of sentence, piece, passage and headline with the question, agreement of articles, and how far
score, relevance and overlap are behind the best.
"""
_NAME = re.compile(r"(?<=\s)[A-Z][\w'-]+")


@dataclass(frozen=True)
class Candidate:
    """An answer span, with the piece of an article that it stands in."""

    span: str
    piece: str
    headline: str
    span_score: float
    """Logit of the span against "no answer"."""
    rank: int
    """Of the passage; 0 is the best."""


def candidate(text: str, headline: str, reading: EvidenceReading, *, rank: int) -> Candidate:
    """Make a candidate of what the evidence model read in a piece."""
    return Candidate(
        span=text[reading.start : reading.end],
        piece=text,
        headline=headline,
        span_score=reading.span_score,
        rank=rank,
    )


def answer_features(question: str, answer: Candidate) -> dict[str, float]:
    """Return one value per name in `FEATURES`."""
    around = word_stems(answer.piece) | word_stems(answer.headline)
    span = word_stems(answer.span)
    return {
        "span_score": answer.span_score,
        "log_rank": math.log1p(answer.rank),
        "names_missing": _missing(_NAME.findall(question), around),
        "type_mismatch": float(type_mismatch(expected_type(question), answer.span)),
        "span_in_question": len(span & word_stems(question)) / max(1, len(span)),
    }


def _missing(terms: list[str], stems: frozenset[str]) -> float:
    """Return the share of the question's terms that are not among the stems; 0 where it has none."""
    return sum(not word_stems(term) <= stems for term in terms) / max(1, len(terms))
