"""Lateral: are the questions about texts understood alone, new, different, and answered with citations that hold?"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.errors import NotFoundError
from core.paths import SAMPLE
from core.types import MAX_TEXT_CHARS, Model, Probability, Result, Section, Status
from core.urls import article_id
from evaluation.data.formats.lines import fail, read_objects, row_id
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.measures.stats.clustered import clustered_mean
from evaluation.measures.values import MeasureValue
from evaluation.reports.models import Definition, DetailLine, ItemDetail, Mark, Scores
from evaluation.runs.ask_system import answered, ask_system
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.predictions import Answered, PredictionFailedError
from evaluation.tasks.system_task import SystemTask
from pipelines.attribution.citations import read_citations
from pipelines.engine import Engine
from pipelines.reading.answer_features import answer_features, candidate
from pipelines.reading.windows import cut
from pipelines.systems.lateral.question_selection import form_fault, likeness
from pipelines.systems.registry import request_for

HELD_FROM = 0.5
"""Probability, by the verifier, from which a quote supports the sentence that cites it."""
KNOWN_FROM = 0.5
LEADS_BACK = 5
SAMPLE_STEP = 10
HEADLINE = ("questions", "self_contained", "leads_back", "not_in_text", "diversity", "answerable", "citation_precision")
DEFINITIONS = tuple(
    Definition(name=name, definition=definition, source="Own.")
    for name, definition in (
        ("questions", "Questions a text, 5 at most."),
        (
            "self_contained",
            "Share of questions without unnamed pronouns, roles or days; by the rules of the system.",
        ),
        ("leads_back", "Share of questions whose words alone find the text itself among the first 5 articles (BM25)."),
        ("not_in_text", "Share of questions that the reader, given every piece of the text, does not answer from it."),
        ("diversity", "1 - mean share of common words over all pairs of questions of a text."),
        ("answerable", "Share of questions that the index answers."),
        ("citation_precision", "Share of citations whose quote supports the sentence, by the verifier."),
    )
)


class LateralItem(Item):
    """A text, or the address of an article in the corpus."""

    body: str = ""
    """The text itself, for the reader; empty: not known, not_in_text is left out."""


class AskedQuestion(Model):
    """One question as it came."""

    text: str
    is_answered: bool
    leads_back: bool | None
    """None: the text is not in the index."""
    known: Probability | None
    """That the text answers it."""
    citations: tuple[Probability, ...] = ()
    """That each citation supports its sentence."""


class LateralOutput(Output):
    """The questions of a text."""

    questions: tuple[AskedQuestion, ...]


def read(path: Path, split: str | None) -> list[LateralItem]:
    """
    Read rows with `text`, or with `url` (and `body`) of articles in the corpus; of the sample, every tenth article.

    :raises InputError: If a row has neither, or an id stands twice.
    """
    items: dict[str, LateralItem] = {}
    for line, row in read_objects(path):
        text = row.get("text") or row.get("url")
        if not isinstance(text, str) or len(text) > MAX_TEXT_CHARS:
            fail(path, line, "no text or url, or one that is too long")
        name = row_id(row, items, path=path, line=line)
        if name in items:
            fail(path, line, f"id {name} stands twice")
        if split in {None, row.get("split")}:
            items[name] = LateralItem(id=name, text=text, body=str(row.get("body") or row.get("text") or ""))
    return [*items.values()][:: SAMPLE_STEP if path.parent == SAMPLE else 1]


def predictor(engine: Engine, options: Mapping[str, str]) -> Callable[[LateralItem], Answered]:
    """Ask about the text, and measure each question with the engine's own models."""

    def predict(item: LateralItem) -> Answered:
        request = request_for("lateral", {"text": item.text, "options": dict(options)})
        try:
            result = ask_system(engine, "lateral", request)
        except NotFoundError as error:  # of this text's address; the others may well be indexed
            raise PredictionFailedError(error.message, field=error.field, hint=error.hint) from error
        questions = tuple(
            _question(section, item, result, engine) for section in result.sections if section.kind == "question"
        )
        return answered(result, LateralOutput(questions=questions))

    return predict


def _question(section: Section, item: LateralItem, result: Result, engine: Engine) -> AskedQuestion:
    return AskedQuestion(
        text=section.title,
        is_answered=bool(section.text),
        leads_back=_leads_back(section.title, item.text, engine),
        known=_known(section.title, item.body, engine) if item.body else None,
        citations=_citations(section.text, result, engine),
    )


def _leads_back(question: str, url: str, engine: Engine) -> bool | None:
    if not url.startswith("http"):
        return None
    found = engine.resources.store().keyword_search(question, top_k=LEADS_BACK * 4)
    names = list(dict.fromkeys(str(document.meta["article_id"]) for document in found))
    return article_id(url) in names[:LEADS_BACK]


def _known(question: str, body: str, engine: Engine) -> float:
    """Return how likely the text answers the question, the reader given every piece of it."""
    pieces = [body[start:end] for start, end in cut(body)]
    readings = engine.resources.evidence_model().read([(question, piece) for piece in pieces])
    calibration = engine.resources.calibration()
    return max(
        (
            calibration.answer_probability(answer_features(question, candidate(piece, "", reading, rank=0)))
            for piece, reading in zip(pieces, readings, strict=True)
        ),
        default=0.0,
    )


def _citations(answer: str, result: Result, engine: Engine) -> tuple[float, ...]:
    """Return, for each citation of an answer, how likely the best quote of that reference supports its sentence."""
    references = {reference.number: reference for reference in result.references}
    found = []
    for sentence in read_citations(answer, given=set(references), ours=True).sentences:
        for number in sentence.numbers:
            quotes = [f"{references[number].headline}. {quote.text}" for quote in references[number].quotes]
            judged = engine.resources.verifier().judge([(sentence.text, quote) for quote in quotes])
            found.append(max((one.supports for one in judged), default=0.0))
    return tuple(found)


def score(items: Sequence[LateralItem], predictions: Sequence[Prediction[LateralOutput]]) -> Scores:
    """Average over questions, and diversity over texts."""
    done = [(one.id, one.output.questions) for one in predictions if one.status is Status.OK and one.output]
    every = [(name, question) for name, questions in done for question in questions]
    measures = {
        "questions": mean_with_interval([float(len(questions)) for _, questions in done]),
        "self_contained": _share(every, lambda one: [not form_fault(one.text)]),
        "leads_back": _share(every, lambda one: [] if one.leads_back is None else [one.leads_back]),
        "not_in_text": _share(every, lambda one: [] if one.known is None else [one.known < KNOWN_FROM]),
        "diversity": mean_with_interval([_diversity(questions) for _, questions in done if len(questions) > 1]),
        "answerable": _share(every, lambda one: [one.is_answered]),
        "citation_precision": _share(every, lambda one: [value >= HELD_FROM for value in one.citations]),
    }
    per_item = {name: _values(questions) for name, questions in done}
    details = tuple(_detail(item, dict(done).get(item.id)) for item in items)
    return Scores(measures=measures, per_item=per_item, headline=HEADLINE, definitions=DEFINITIONS, details=details)


def _share(every: Sequence[tuple[str, AskedQuestion]], hits: Callable[[AskedQuestion], list[bool]]) -> MeasureValue:
    """Average what questions hit; those of one text are drawn together."""
    found = [(name, float(hit)) for name, question in every for hit in hits(question)]
    return clustered_mean([hit for _, hit in found], [name for name, _ in found])


def _values(questions: Sequence[AskedQuestion]) -> dict[str, float]:
    answered = sum(one.is_answered for one in questions)
    values = {"questions": float(len(questions))}
    return values | {"answerable": answered / len(questions)} if questions else values


def _diversity(questions: Sequence[AskedQuestion]) -> float:
    pairs = list(itertools.combinations([one.text for one in questions], 2))
    return 1.0 - sum(likeness(one, other) for one, other in pairs) / len(pairs)


def _detail(item: LateralItem, questions: Sequence[AskedQuestion] | None) -> ItemDetail:
    lines = tuple(
        DetailLine(
            label="answered" if one.is_answered else "not answered",
            text=one.text,
            mark=Mark.WRONG if (one.known or 0.0) >= KNOWN_FROM else Mark.NEUTRAL,
        )
        for one in questions or ()
    )
    return ItemDetail(id=item.id, text=item.text, lines=lines, failed=questions is None)


TASK = SystemTask(
    name="lateral",
    item_type=LateralItem,
    output_type=LateralOutput,
    score=score,
    system="lateral",
    summary="Ask about texts (JSON lines: text, or url of an article) and measure questions and citations.",
    read=read,
    predictor=predictor,
    sample=SAMPLE / "articles.jsonl.gz",
)
