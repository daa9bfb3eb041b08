"""Candidate answers as numbers: their features, and whether they are right."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.calibration.answer_readings import ReadPiece, ReadQuestion
from evaluation.data.formats.questions import QueryRow
from evaluation.data.group_folds import joined
from evaluation.measures.text.squad import normalise_answer
from pipelines.reading.answer_features import FEATURES, Candidate, answer_features

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Example:
    """All candidate answers of one question."""

    kind: str
    """answered, near or absent, as `evaluation.calibration.pairs` says."""
    group: str
    """Questions of one passage, or that share an article, are never on both sides of a split."""
    features: Floats
    """Shape (candidates, `FEATURES`)."""
    right: Truths
    """Shape (candidates,)."""


def make_examples(questions: Sequence[ReadQuestion]) -> list[Example]:
    """Describe the candidates of each question; questions without any are left out."""
    groups = joined([_about(question.row) for question in questions])
    return [_example(question, group) for question, group in zip(questions, groups, strict=True) if question.pieces]


def _about(row: QueryRow) -> tuple[str, ...]:
    """Return the articles that a question is about, or the passage that it was written on."""
    return (*row.article_ids, *row.near_ids) or (re.sub(r"-u?\d+$", "", row.id),)


def _example(question: ReadQuestion, group: str) -> Example:
    candidates = [
        Candidate(
            span=piece.span,
            piece=piece.text,
            headline=piece.headline,
            span_score=piece.span_score,
            rank=piece.rank,
        )
        for piece in question.pieces
    ]
    rows = [answer_features(question.row.text, candidate) for candidate in candidates]
    return Example(
        kind=question.row.split,
        group=group,
        features=np.array([[row[name] for name in FEATURES] for row in rows]),
        right=np.array([is_right(question.row, piece) for piece in question.pieces]),
    )


def is_right(row: QueryRow, piece: ReadPiece) -> bool:
    """Say whether the sentence holds an accepted answer, and the span a word of it."""
    span = set(normalise_answer(piece.span).split())
    sentence = f" {normalise_answer(piece.sentence)} "
    accepted = [normalise_answer(answer) for answer in row.answers]
    return any(answer and f" {answer} " in sentence and span & set(answer.split()) for answer in accepted)
