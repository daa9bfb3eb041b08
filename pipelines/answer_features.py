"""What is known of an answer before it is believed: the features that a calibration weighs."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.evidence import EvidenceReading
from pipelines.answer_types import AnswerType, expected_type, type_mismatch
from pipelines.pieces import query_weights, sentence_around, share, word_stems

FEATURES = (
    "span_score",
    "span_behind_best",
    "relevance",
    "relevance_behind_best",
    "log_rank",
    "sentence_overlap",
    "piece_overlap",
    "headline_overlap",
    "passage_overlap",
    "overlap_behind_best",
    "names_missing",
    "numbers_missing",
    "type_fits",
    "type_mismatch",
    "span_in_question",
    "log_span_words",
    "agreement",
)
_NAME = re.compile(r"(?<=\s)[A-Z][\w'-]+")
_NUMBER = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True)
class Candidate:
    """An answer span, with what it stands in."""

    span: str
    sentence: str
    piece: str
    headline: str
    span_score: float
    """Logit of the span against "no answer"."""
    relevance: float
    """Probability that the piece bears on the question."""
    rank: int
    """Of the passage; 0 is the best."""
    passage_overlap: float
    """Share of the question's words in the passage and its headline."""


def candidate(text: str, headline: str, reading: EvidenceReading, *, rank: int, passage_overlap: float) -> Candidate:
    """Make a candidate of what the evidence model read in a piece."""
    start, end = sentence_around(text, reading.start, reading.end)
    return Candidate(
        span=text[reading.start : reading.end],
        sentence=text[start:end],
        piece=text,
        headline=headline,
        span_score=reading.span_score,
        relevance=reading.relevance,
        rank=rank,
        passage_overlap=passage_overlap,
    )


def answer_features(question: str, candidates: Sequence[Candidate]) -> list[dict[str, float]]:
    """
    Describe the candidate answers of one question, each beside the others.

    :returns: One value per name in `FEATURES` for each candidate, in order.
    """
    weights = query_weights(question, [candidate.piece for candidate in candidates])
    kind = expected_type(question)
    rows = [_alone(question, kind, candidate, weights) for candidate in candidates]
    for name, behind in (
        ("span_score", "span_behind_best"),
        ("relevance", "relevance_behind_best"),
        ("overlap", "overlap_behind_best"),
    ):
        best = max((row[name] for row in rows), default=0.0)
        for row in rows:
            row[behind] = best - row[name]
    spans = [_folded(candidate.span) for candidate in candidates]
    for row, span, candidate in zip(rows, spans, candidates, strict=True):
        others = {
            other.headline
            for other, text in zip(candidates, spans, strict=True)
            if text == span and other.headline != candidate.headline
        }
        row["agreement"] = math.log1p(len(others))
    return [{name: row[name] for name in FEATURES} for row in rows]


def _alone(question: str, kind: AnswerType, candidate: Candidate, weights: dict[str, float]) -> dict[str, float]:
    """Describe a candidate without the others."""
    sentence, piece, headline = (word_stems(text) for text in (candidate.sentence, candidate.piece, candidate.headline))
    span = word_stems(candidate.span)
    mismatch = type_mismatch(kind, candidate.span)
    return {
        "span_score": candidate.span_score,
        "relevance": _logit(candidate.relevance),
        "log_rank": math.log1p(candidate.rank),
        "sentence_overlap": share(weights, sentence),
        "piece_overlap": share(weights, piece),
        "headline_overlap": share(weights, headline),
        "passage_overlap": candidate.passage_overlap,
        "overlap": share(weights, piece | headline),
        "names_missing": _missing(_NAME.findall(question), piece | headline),
        "numbers_missing": _missing(_NUMBER.findall(question), piece | headline),
        "type_fits": float(kind is not AnswerType.OTHER and not mismatch),
        "type_mismatch": float(mismatch),
        "span_in_question": len(span & word_stems(question)) / max(1, len(span)),
        "log_span_words": math.log1p(len(candidate.span.split())),
    }


def _missing(terms: list[str], stems: frozenset[str]) -> float:
    """Return the share of the question's terms that are not among the stems; 0 where it has none."""
    return sum(not word_stems(term) <= stems for term in terms) / max(1, len(terms))


def _folded(span: str) -> str:
    return " ".join(re.findall(r"\w+", span.casefold()))


def _logit(probability: float) -> float:
    bounded = min(max(probability, 1e-5), 1 - 1e-5)
    return math.log(bounded / (1 - bounded))
