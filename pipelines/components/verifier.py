"""The default verifier: says what each picked sentence does to a statement."""

from haystack import component

from core.types import QueryKind, Relation
from models.evidence import EvidenceReading
from pipelines.findings import Evidence
from pipelines.resources import Resources


@component
class EvidenceVerifier:
    """
    Judge sentences with the relation head of the shipped model.

    :param support_threshold: From this probability on, a sentence supports the statement.
    """

    def __init__(self, *, support_threshold: float = 0.6) -> None:
        self.support_threshold = support_threshold
        self.resources: Resources | None = None

    @component.output_types(evidence=list[Evidence])
    def run(self, query: str, kind: QueryKind, evidence: list[Evidence]) -> dict[str, list[Evidence]]:
        """
        Judge each sentence, read with its headline in front.

        :returns: `evidence` with relation and score, in order; unchanged for a question.
        """
        assert self.resources is not None, "the engine sets the resources"  # noqa: S101
        if kind is QueryKind.QUESTION:
            return {"evidence": evidence}
        pairs = [(query, f"{item.article.headline}. {item.text}") for item in evidence]
        readings = self.resources.evidence_model().read(pairs)
        judged = [self._judge(item, reading) for item, reading in zip(evidence, readings, strict=True)]
        return {"evidence": judged}

    def _judge(self, item: Evidence, reading: EvidenceReading) -> Evidence:
        supports = reading.supports >= self.support_threshold
        relation = Relation.SUPPORTS if supports else Relation.MENTIONS
        return item.model_copy(update={"relation": relation, "score": reading.supports, "relevance": reading.relevance})
