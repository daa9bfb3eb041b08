"""Answer each question as verify does, from other articles than the text; keep the five best."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from haystack import Document, component

from core.types import Notice, QueryKind, Relation
from pipelines.attribution.citations import CitedSentence, read_citations
from pipelines.attribution.markers import renumbered
from pipelines.contracts.evidence import Draft, Finding, Ruling, number_articles
from pipelines.contracts.system import Runner
from pipelines.rendering.baselines import renumber
from pipelines.systems.lateral.types import Answered, Asked, Question, SourceText
from pipelines.systems.lateral.whole_answer import is_about, is_clean, mention, whole_answer

PIPELINE = "lateral_answer"
LONGEST_ANSWER = 100
"""Words."""


@component
class LateralAnswerer:
    """
    Answer questions one by one.

    :param runner: Runs the pipeline that answers.
    :param keep: Questions to return, answered ones first.
    :param shown_from: Probability, by the reader, from which an answer is shown.
    """

    def __init__(self, *, runner: Runner, keep: int = 5, shown_from: float = 0.5) -> None:
        self.runner = runner
        self.keep = keep
        self.shown_from = shown_from

    @component.output_types(answers=list[Answered], documents=list[Document], findings=list[Finding])
    def run(
        self,
        source: SourceText,
        asked: Asked,
        top_k: int | None = None,
        filters: dict[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> dict[str, object]:
        """
        Answer.

        :returns: `answers`, at most `keep`, in the order of the questions; `documents` and `findings` of all.
        """
        answers: list[Answered] = []
        documents: dict[str, Document] = {}
        findings: list[Finding] = []
        for question in asked.questions:
            outputs = self._ask(question, source, top_k=top_k, filters=filters, as_of=as_of)
            answers.append(
                whole_answer(question, outputs, source)
                if question.is_whole
                else _answered(question, outputs, shown_from=self.shown_from)
            )
            documents |= {document.id: document for document in outputs["retriever"]["documents"]}
            findings += outputs["reader"]["findings"]
        chosen = sorted(answers, key=lambda one: one.rank)[: self.keep]  # what speaks against the text first
        return {"answers": chosen, "documents": list(documents.values()), "findings": findings}

    def _ask(self, question: Question, source: SourceText, **search: Any) -> dict[str, Any]:
        is_whole = question.is_whole
        query, kind = (question.claim, QueryKind.STATEMENT) if is_whole else (question.text, QueryKind.QUESTION)
        inputs = {
            "retriever": {"query": query, "question": question, "source": source} | search,
            "reader": {"query": query, "behind_headline": is_whole},
            "picker": {"query": query, "kind": kind},
            "verifier": {"query": query, "kind": kind},
            "generator": {"query": query, "kind": kind},
            "supporter": {"query": query, "kind": kind},
            "self_verifier": {"query": query},
            "verdict": {"kind": kind},
        }
        return self.runner.run_pipeline(PIPELINE, inputs, options={})


def _answered(question: Question, outputs: dict[str, Any], *, shown_from: float) -> Answered:
    """Keep the cited sentences of an answer and what they cite; list the rest of what was found."""
    ruling: Ruling = outputs["verdict"]["ruling"]
    draft: Draft = outputs["supporter"]["draft"]
    supporting = [one for one in ruling.evidence if one.relation is Relation.SUPPORTS]
    likely = max((one.score for one in supporting), default=0.0) >= shown_from
    text = renumber(ruling.answer, outputs["checker"]["checked"], ruling) if likely else ""
    numbers = number_articles(list(ruling.evidence))
    cited = read_citations(text, given=set(numbers.values()), ours=True)
    about = {numbers[item.article.article_id] for item in ruling.evidence if is_about(question.text, item.article)}
    kept = _kept(cited.sentences, about)
    used_numbers = {number for sentence in kept for number in sentence.numbers}
    cited_articles = {name for name, number in numbers.items() if number in used_numbers}
    used = [
        one for one in ruling.evidence if one.article.article_id in cited_articles and one.relation is Relation.SUPPORTS
    ]
    dense = {numbers[name]: place for name, place in number_articles(used).items()}
    found = {finding.article.article_id: finding for finding in reversed(outputs["reader"]["findings"])}
    unused = [
        mention(one) for name, one in sorted(found.items(), key=lambda pair: pair[1].rank) if name not in cited_articles
    ]
    notices: list[Notice] = [*outputs["guard"]["warnings"], *draft.warnings]
    return Answered(
        question=question,
        text=renumbered(" ".join(sentence.marked() for sentence in kept), dense),
        rank=2 if kept else 3,
        used=tuple(used),
        unused=tuple(one for one in unused if is_clean(one)),
        namesakes=tuple(outputs["retriever"]["namesakes"]),
        generator=draft.generator if draft.mode and kept else None,
        warnings=tuple(notices),
    )


def _kept(sentences: Sequence[CitedSentence], about: set[int]) -> list[CitedSentence]:
    """
    Keep the sentences that cite articles about the question alone, as long as the answer stays short enough.

    :param about: Numbers of those articles.
    """
    kept: list[CitedSentence] = []
    words = 0
    for sentence in sentences:
        size = len(sentence.marked().split())
        if sentence.numbers and set(sentence.numbers) <= about and words + size <= LONGEST_ANSWER:
            kept.append(sentence)
            words += size
    return kept
