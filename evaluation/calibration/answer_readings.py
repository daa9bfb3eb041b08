"""Run questions through the product's own retriever, pieces and reader, and write down every candidate answer."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.settings import Settings
from core.types import Model
from evaluation.calibration.readings_cache import kept_lines
from evaluation.data.formats.questions import QueryRow
from indexing.stores.contract import EvidenceStore
from pipelines.reading.windows import best_pieces, sentence_around
from pipelines.resources import Resources
from pipelines.retrieval.bm25 import Bm25Retriever


class ReadPiece(Model):
    """One piece as the reader read it for a question."""

    headline: str
    text: str
    sentence: str
    span: str
    span_score: float
    relevance: float
    rank: int


class ReadQuestion(Model):
    """A question with all its candidates."""

    row: QueryRow
    pieces: tuple[ReadPiece, ...]


def read_questions(
    rows: Sequence[QueryRow],
    settings: Settings,
    kept: Path,
    *,
    store: EvidenceStore | None = None,
    max_pieces: int = 20,
    progress: Progress = ignore_progress,
) -> list[ReadQuestion]:
    """
    Read what was not read before.

    :param store: To search; None: that of the settings.
    :param kept: JSON lines of what was read; grows as the reading goes on, so that it can be stopped and gone on with.
    """
    done = {question.row.id: question for question in _kept(kept)}
    resources = Resources(settings, store=store)
    retriever = Bm25Retriever(document_store=resources.store(), top_k=settings.top_k)
    model = resources.evidence_model()
    with kept.open("a", encoding="utf-8") as out:
        for number, row in enumerate(rows, start=1):
            progress(ProgressEvent(stage=Stage.READ, done=number, total=len(rows), unit="questions"))
            if row.id not in done:
                pieces = best_pieces(row.text, retriever.run(row.text)["documents"], max_pieces=max_pieces)
                readings = model.read([(row.text, piece.text) for piece in pieces])
                done[row.id] = ReadQuestion(
                    row=row,
                    pieces=tuple(
                        ReadPiece(
                            headline=str(piece.document.meta["headline"]),
                            text=piece.text,
                            sentence=piece.text[slice(*sentence_around(piece.text, reading.start, reading.end))],
                            span=piece.text[reading.start : reading.end],
                            span_score=reading.span_score,
                            relevance=reading.relevance,
                            rank=piece.rank,
                        )
                        for piece, reading in zip(pieces, readings, strict=True)
                    ),
                )
                out.write(done[row.id].model_dump_json() + "\n")
                out.flush()
    resources.close()
    return [done[row.id].model_copy(update={"row": row}) for row in rows]


def _kept(path: Path) -> Iterator[ReadQuestion]:
    for line in kept_lines(path):
        yield ReadQuestion.model_validate(json.loads(line))
