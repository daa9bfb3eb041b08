"""Answers: what a system writes to a question, and what it rests on."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from core.types import Status, Verdict
from evaluation.measures.stats.bootstrap import mean_with_interval
from evaluation.measures.text.bleu import corpus_bleu, sentence_bleu
from evaluation.measures.text.evidence import citation_precision, citation_recall, contains_answer
from evaluation.measures.text.rouge import rouge
from evaluation.measures.text.squad import exact_match, token_f1
from evaluation.measures.values import ItemValues, MeasureValue
from evaluation.reports.measure_bars import measure_bars
from evaluation.reports.models import Definition, DetailLine, ItemDetail, Mark, Scores
from evaluation.reports.stage_times import stage_figure
from evaluation.runs.models import Item, Output, Prediction
from evaluation.runs.session import Task

HEADLINE = (
    "answer_in_evidence", "answer_in_answer", "f1", "rougeL", "citation_precision", "citation_recall", "refused",
    "verified", "verified_right",
)  # fmt: skip

DEFINITIONS = tuple(
    Definition(name=name, definition=definition, source=source)
    for name, definition, source in (
        ("bleu", "Of all answers together, 0 to 100.", "Papineni et al., ACL 2002; sacrebleu, 13a tokens."),
        (
            "rouge1, rouge2, rougeL",
            "F-measure, best over the accepted answers; a to z and digits alone.",
            "Lin, 2004; rouge-score.",
        ),
        ("bertscore", "F1 without rescaling, best over the accepted answers.", "Zhang et al., ICLR 2020; bert-score."),
        ("bleu_answered, bertscore_answered", "The same over the answers that were given: refusals apart.", "Own."),
        ("exact_match, f1", "Against the accepted answers after normalisation.", "Official SQuAD script."),
        ("answer_in_evidence", "An accepted answer stands in a quote that is shown as supporting the answer.", "Own."),
        ("answer_in_answer", "An accepted answer stands in the answer.", "Own."),
        ("citation_precision, citation_recall", "Cited articles against those that hold the answer.", "Own."),
        ("refused", "Share of answerable questions that were declined.", "Own."),
        ("refused_rightly", "Share of unanswerable questions that were declined.", "Own."),
        ("verified", "Share of the answerable questions whose answer is marked as verified.", "Own."),
        ("verified_right", "Share of verified answers in which an accepted answer stands.", "Own."),
        (
            "self_verified",
            "Share of answers that the model itself calls correct; refusals are not answers.",
            "News Verifiers.",
        ),
    )
)
NOTE = "Text measures are over the answerable questions, a refusal counting as an empty answer."


class RagItem(Item):
    """A question with its accepted answers."""

    answers: tuple[str, ...]
    """Empty: it cannot be answered."""
    articles: tuple[str, ...] = ()
    """Of the articles that hold the answer, by our id; empty: not known."""


class RagOutput(Output):
    """What was answered."""

    answer: str
    """Without citation marks; empty: declined."""
    quotes: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    """Articles, by our id."""
    self_verified: bool | None = None
    """None: the model was not asked, or said neither yes nor no."""
    bertscore: float | None = None
    verdict: Verdict | None = None
    """As it is shown to the reader."""
    written_by: str = ""
    """The generator whose words are the answer."""
    without_evidence: bool = False
    """Whether the model was asked without any, so that there is nothing to quote or to cite."""
    stage_ms: dict[str, float] = Field(default_factory=dict)


def score_rag(items: Sequence[RagItem], predictions: Sequence[Prediction[RagOutput]]) -> Scores:
    """Score the answers that were given; failures are left out."""
    found = {one.id: one for one in predictions}
    rows = [(item, one.output) for item in items if (one := found.get(item.id)) and one.output is not None]
    per_item: ItemValues = {item.id: _item_values(item, output) for item, output in rows}
    names = list(dict.fromkeys(name for values in per_item.values() for name in values))
    means = {
        name: mean_with_interval([values[name] for values in per_item.values() if name in values]) for name in names
    }
    answerable = [(item, output) for item, output in rows if item.answers]
    bleu: dict[str, MeasureValue] = {}
    if answerable:
        bleu["bleu"] = corpus_bleu([out.answer for _, out in answerable], [item.answers for item, _ in answerable])
    if given := [(item, output) for item, output in answerable if output.answer]:
        bleu["bleu_answered"] = corpus_bleu([out.answer for _, out in given], [item.answers for item, _ in given])
    timings = [output.stage_ms for _, output in rows if output.stage_ms]
    return Scores(
        measures=bleu | means,
        per_item=per_item,
        headline=HEADLINE,
        definitions=DEFINITIONS,
        figures=(*measure_bars(means, HEADLINE), *stage_figure(timings)),
        details=tuple(_detail(item, found.get(item.id)) for item in items),
        notes=(NOTE,),
    )


def _item_values(item: RagItem, output: RagOutput) -> dict[str, float]:
    declined = float(not output.answer)
    if not item.answers:
        return {"refused_rightly": declined}
    verified = float(output.verdict is Verdict.VERIFIED and not declined)
    values: dict[str, float | None] = {
        "sentence_bleu": sentence_bleu(output.answer, item.answers),
        **rouge(output.answer, item.answers),
        "bertscore": output.bertscore,
        "exact_match": exact_match(item.answers, output.answer),
        "f1": token_f1(item.answers, output.answer),
        "answer_in_evidence": None if output.without_evidence else contains_answer(output.quotes, item.answers),
        "answer_in_answer": contains_answer([output.answer], item.answers),
        "citation_precision": citation_precision(output.cited, item.articles) if item.articles else None,
        "citation_recall": None if output.without_evidence else citation_recall(output.cited, item.articles),
        "self_verified": None if output.self_verified is None or declined else float(output.self_verified),
        "refused": declined,
        "bertscore_answered": None if declined else output.bertscore,
        "verified": verified,
        "verified_right": contains_answer([output.answer], item.answers) if verified else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _detail(item: RagItem, prediction: Prediction[Any] | None) -> ItemDetail:
    lines = [DetailLine(label="gold", text=" / ".join(item.answers) or "(cannot be answered)")]
    failed = prediction is None or prediction.status is Status.FAILED or prediction.output is None
    if prediction is not None and isinstance(prediction.output, RagOutput):
        output = prediction.output
        right = contains_answer([output.answer], item.answers) if item.answers else float(not output.answer)
        mark = Mark.RIGHT if right else Mark.WRONG
        lines.append(DetailLine(label="answer", text=output.answer or "(declined)", mark=mark))
        for quote in output.quotes:
            inside = contains_answer([quote], item.answers)
            lines.append(DetailLine(label="quote", text=quote, mark=Mark.RIGHT if inside else Mark.NEUTRAL))
    records = (prediction.run_record,) if prediction and prediction.run_record else ()
    return ItemDetail(id=item.id, text=item.text, lines=tuple(lines), failed=failed, run_records=records)


TASK = Task(name="rag", item_type=RagItem, output_type=RagOutput, score=score_rag)
