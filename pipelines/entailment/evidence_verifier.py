"""Say what each picked sentence does to a statement: the verifier's judgement beside conflicts found by plain code."""

from collections.abc import Sequence

from haystack import component

from core.types import Notice, QueryKind, Relation
from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.comparison import FINDERS
from pipelines.conflicts.wording.attributed_falsehood import disputed_answer
from pipelines.contracts.evidence import Evidence
from pipelines.contracts.span_reader import SpanReader
from pipelines.contracts.verifier import Verifier
from pipelines.evidence.article_entailment import (
    ArticleEntailment,
    article_entailments,
    mentioning,
    refuting_by_swap,
    rule,
)
from pipelines.evidence.corrections import outranked
from pipelines.evidence.supersession import ended, is_current, is_dated, newer_than_support, supersede
from pipelines.query.plain_statement import recased
from pipelines.reading.slot_questions import find_conflicts

MAX_NEWER = 4
"""Pieces of newer articles than those that support which are asked for what is stated."""


@component
class EvidenceVerifier:
    """
    Judge sentences and the pieces around them, article by article.

    A sentence is read behind its headline, and so is the piece that it stands in: what it takes may stand in several
    sentences, and what one seems to say its neighbour may deny. See `pipelines/evidence/article_entailment.py`.

    >>> judge = EvidenceVerifier(verifier=verifier, reader=model)
    >>> claim = "The repairs of the Osterholm bridge cost 95 million crowns."
    >>> (judged,) = judge.run(claim, QueryKind.STATEMENT, evidence)["evidence"]
    >>> judged.relation.value, [conflict.found for conflict in judged.conflicts]
    ('refutes', ['48 million'])

    :param verifier: Judges.
    :param reader: Answers questions about the slots of a statement.
    :param max_slots: Numbers and names of a statement to ask back.
    :param max_texts: Pieces to ask in.
    :param max_pieces: Pieces to judge.
    """

    def __init__(
        self,
        *,
        verifier: Verifier,
        reader: SpanReader,
        max_slots: int = 3,
        max_texts: int = 2,
        max_pieces: int = 4,
    ) -> None:
        self.verifier = verifier
        self.reader = reader
        self.max_slots = max_slots
        self.max_texts = max_texts
        self.max_pieces = max_pieces

    @component.output_types(evidence=list[Evidence], entailments=list[ArticleEntailment], warnings=list[Notice])
    def run(self, query: str, kind: QueryKind, evidence: list[Evidence]) -> dict[str, object]:
        """
        Judge each sentence.

        :returns: `evidence` with relation, score and conflicts, best first, what a newer correction contradicts among
            what only mentions; `entailments`, one for each article that was judged; `warnings`. For a question the
            evidence in its order, an answer that its sentence calls a false claim marked as disputed, and no more.
        """
        if kind is QueryKind.QUESTION or not evidence:
            return {"evidence": [_with_dispute(query, item) for item in evidence], "entailments": [], "warnings": []}
        query = recased(query, {f"{item.article.headline}\n{item.article.body}" for item in evidence})
        items = find_conflicts(self.reader, query, evidence, max_slots=self.max_slots, max_texts=self.max_texts)
        settled, found = settle(self.verifier, query, items, max_pieces=self.max_pieces)
        settled, superseded = supersede(query, self._with_newer(query, settled))
        warnings = [*superseded, *([] if self.verifier.reads_whole(query) else [_too_long()])]
        return {"evidence": sorted(settled, key=_order), "entailments": found, "warnings": warnings}

    def _with_newer(self, statement: str, evidence: list[Evidence]) -> list[Evidence]:
        """
        Ask newer articles than those that support for what is stated.

        One that says otherwise of the same matter refutes; by one that tells of the end of what is stated as now,
        nothing older supports.
        """
        newer = newer_than_support(evidence)
        if not newer or is_dated(statement):
            return evidence
        if is_current(statement) and any(ended(statement, item.text) for item in newer):
            return [
                item.model_copy(update={"relation": Relation.MENTIONS}) if item.relation is Relation.SUPPORTS else item
                for item in evidence
            ]
        asked = find_conflicts(
            self.reader, statement, newer, max_slots=self.max_slots, max_texts=MAX_NEWER, without=frozenset(FINDERS)
        )
        turned = refuting_by_swap(self.verifier, statement, asked)
        places = {_place(item): item for item in turned}
        known = {_place(item) for item in evidence}
        return [places.get(_place(item), item) for item in evidence] + [
            item for item in turned if _place(item) not in known
        ]


def settle(
    verifier: Verifier, statement: str, items: Sequence[Evidence], *, max_pieces: int
) -> tuple[list[Evidence], list[ArticleEntailment]]:
    """
    Judge sentences whose conflicts are known.

    :returns: The sentences with relation and score, best first, those without any word of the statement as mentions;
        and one entailment for each article that was judged.
    """
    found, rest = article_entailments(verifier, statement, items, max_pieces=max_pieces)
    told = [item for entailment in found for item in rule(entailment, verifier.thresholds)]
    ruled = {_place(item): item if _has_a_word_of(statement, item) else mentioning(item) for item in told}
    ruled |= {_place(item): item for item in rest}
    return sorted(outranked([ruled[_place(item)] for item in items]), key=_order), found


def _has_a_word_of(statement: str, item: Evidence) -> bool:
    """Say whether a quote has a content word of the statement: without any, only its headline may settle it."""
    return bool(analyse(statement).stems & analyse(item.text).stems)


def _with_dispute(question: str, item: Evidence) -> Evidence:
    found = disputed_answer(question, item.text, item.answer)
    return item.model_copy(update={"conflicts": (*item.conflicts, *found)}) if found else item


def _too_long() -> Notice:
    message = "The statement is too long to be judged whole, so nothing verifies or refutes it; ask for its parts."
    return Notice(code="statement_cut", message=message)


def _place(item: Evidence) -> tuple[str, int]:
    return item.article.article_id, item.start


def _order(item: Evidence) -> float:
    """Sort what settles the statement first, the surest before; then the rest, which keeps its order."""
    return 0.0 if item.relation is Relation.MENTIONS else -item.score
