"""Replies of chat models with all that the guard sees of them; articles by their id in the bundled sample."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from core.types import Article, Model, QueryKind, Relation
from evaluation.data.formats.lines import bad_line, read_objects
from pipelines.contracts.evidence import Conflict, Draft, Evidence, ShownArticle, ShownSentence


class Label(StrEnum):
    """What a reader of the reply and its evidence says of it."""

    RIGHT = "right"
    """It answers a question as the evidence does, or tells what the evidence says about a statement."""
    WRONG = "wrong"
    """It says something that the evidence does not, or answers something else."""
    DECLINED = "declined"
    """It says that there is no answer."""


class StoredEvidence(Model):
    """A piece of evidence as it was judged."""

    article: str
    start: int
    end: int
    relevance: float
    rank: int
    answer: str
    relation: Relation
    score: float
    supports: float
    refutes: float
    alone: float
    swapped: float
    conflicts: tuple[Conflict, ...] = ()


_KEPT = tuple(name for name in StoredEvidence.model_fields if name != "article")


class StoredArticle(Model):
    """What was shown of an article."""

    number: int
    article: str
    sentences: tuple[tuple[int, int], ...]


class ReplyRow(Model):
    """One reply."""

    id: str
    query_id: str
    kind: QueryKind
    query: str
    mode: str
    model: str
    """Name, and the first digits of its file's SHA-256."""
    prompt_hash: str
    reply: str
    shown: tuple[StoredArticle, ...]
    evidence: tuple[StoredEvidence, ...]
    label: Label | None = None
    """None: not labelled yet."""
    why: str = ""


def store_row(draft: Draft, evidence: Iterable[Evidence], names: Mapping[str, str], **fields: str) -> ReplyRow:
    """
    Make a row of a draft.

    :param names: Our article id to the one in the sample.
    :param fields: The row's other fields.
    """
    return ReplyRow(
        **fields,
        reply=draft.text,
        shown=tuple(
            StoredArticle(
                number=one.number,
                article=names[one.article.article_id],
                sentences=tuple((sentence.start, sentence.end) for sentence in one.sentences),
            )
            for one in draft.shown
        ),
        evidence=tuple(_stored(item, names) for item in evidence),
    )


def _stored(item: Evidence, names: Mapping[str, str]) -> StoredEvidence:
    return StoredEvidence(article=names[item.article.article_id], **{name: getattr(item, name) for name in _KEPT})


def draft_of(row: ReplyRow, articles: Mapping[str, Article]) -> Draft:
    """Return the draft as the guard gets it."""
    shown = tuple(
        ShownArticle(
            number=one.number,
            article=articles[one.article],
            sentences=tuple(ShownSentence(start=start, end=end, relevance=0.5) for start, end in one.sentences),
        )
        for one in row.shown
    )
    return Draft(text=row.reply, generator=row.model, mode=row.mode, shown=shown)


def evidence_of(row: ReplyRow, articles: Mapping[str, Article]) -> list[Evidence]:
    """Return the evidence as it was judged then."""
    return [
        Evidence(
            **{name: getattr(item, name) for name in _KEPT},
            article=articles[item.article],
            text=articles[item.article].body[item.start : item.end],
        )
        for item in row.evidence
    ]


def read_rows(path: Path) -> list[ReplyRow]:
    """
    Read replies, gzip or plain.

    :raises InputError: For a line that is none; the message names it.
    """
    rows = []
    for line, row in read_objects(path):
        try:
            rows.append(ReplyRow.model_validate(row))
        except ValidationError as error:
            raise bad_line(path, line, f"not a reply: {error.errors()[0]['msg']}", hint="Collect it again.") from error
    return rows
