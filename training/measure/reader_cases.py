"""Questions with passages to read for them: from the bundled sample, or from a SQuAD file."""

import json
from pathlib import Path

from core.paths import SAMPLE
from core.settings import Settings
from core.types import Model
from evaluation.data.formats.squad import SquadQuestion, read_squad
from indexing.job import run_index
from indexing.stores.open import open_store
from pipelines.reading.windows import best_pieces

PASSAGES = 20
"""Read for a question, as the verify pipeline does."""


class Case(Model):
    """A question and what is read for it."""

    query: str
    passages: tuple[str, ...]
    answers: tuple[str, ...]
    """Accepted; empty: it cannot be answered."""


def sample_cases(folder: Path) -> list[Case]:
    """
    Make cases of the sample's questions: the pieces of articles that BM25 finds for them.

    :param folder: Scratch space for an index.
    """
    with (SAMPLE / "queries.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    store = open_store(Settings(data_dir=folder / "index"), must_exist=False)
    try:
        run_index(store, data_dir=folder / "index", articles=SAMPLE / "articles.jsonl.gz")
        return [
            Case(
                query=row["text"],
                passages=tuple(
                    piece.text
                    for piece in best_pieces(
                        row["text"], store.keyword_search(row["text"], top_k=PASSAGES), max_pieces=PASSAGES
                    )
                ),
                answers=tuple(row.get("answers") or ()),
            )
            for row in rows
            if row["kind"] == "question"
        ]
    finally:
        store.close()


def squad_cases(path: Path, *, limit: int) -> list[Case]:
    """
    Make cases of evenly spread SQuAD questions: the paragraph of each, and those around it in the file.

    :raises InputError: If the file cannot be read.
    """
    questions = read_squad(path)
    paragraphs = list(dict.fromkeys(question.context for question in questions))
    place = {text: index for index, text in enumerate(paragraphs)}
    step = max(1, len(questions) // limit)
    return [_case(question, paragraphs, place[question.context]) for question in questions[::step][:limit]]


def _case(question: SquadQuestion, paragraphs: list[str], at: int) -> Case:
    start = max(0, min(at - PASSAGES // 2, len(paragraphs) - PASSAGES))
    return Case(query=question.question, passages=tuple(paragraphs[start : start + PASSAGES]), answers=question.answers)
