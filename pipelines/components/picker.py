"""Pick the sentences that bear on the query."""

from haystack import component

from core.types import QueryKind, Relation
from pipelines.excerpts import passage_sentences, word_stems
from pipelines.findings import Evidence, Finding


@component
class EvidencePicker:
    """
    Turn findings into candidate evidence, best first.

    For a question, the sentence around each answer span. For a statement, the sentences that share most with it.

    :param max_evidence: Sentences to keep.
    :param per_passage: Sentences of one passage, for a statement.
    """

    def __init__(self, *, max_evidence: int = 8, per_passage: int = 2) -> None:
        self.max_evidence = max_evidence
        self.per_passage = per_passage

    @component.output_types(evidence=list[Evidence])
    def run(self, query: str, kind: QueryKind, findings: list[Finding]) -> dict[str, list[Evidence]]:
        """
        Pick sentences.

        :returns: `evidence`, best first; one entry per sentence.
        """
        if kind is QueryKind.QUESTION:
            picked = [answer_evidence(finding) for finding in findings if finding.digest.end > finding.digest.start]
        else:
            picked = [item for finding in findings for item in self._statement_evidence(query, finding)]
        unique = {(item.article.article_id, item.start): item for item in reversed(picked)}
        ordered = sorted(unique.values(), key=lambda item: (-item.score, item.article.article_id, item.start))
        return {"evidence": ordered[: self.max_evidence]}

    def _statement_evidence(self, query: str, finding: Finding) -> list[Evidence]:
        digest = finding.digest
        base = finding.article.body.index(digest.context)
        wanted = word_stems(query)
        scored = [
            (len(wanted & stems) / max(1, len(wanted)), base + start, base + end)
            for start, end, stems in passage_sentences(digest.context)
        ]
        scored.sort(key=lambda item: (-item[0], item[1]))
        return [
            Evidence(
                article=finding.article,
                start=start,
                end=end,
                text=finding.article.body[start:end],
                relevance=digest.relevance,
                score=min(1.0, 0.5 * share + 0.5 * digest.relevance),
            )
            for share, start, end in scored[: self.per_passage]
        ]


def answer_evidence(finding: Finding) -> Evidence:
    """Make evidence of the sentence around the answer span."""
    digest = finding.digest
    return Evidence(
        article=finding.article,
        start=digest.sentence_start,
        end=digest.sentence_end,
        text=digest.sentence,
        relevance=digest.relevance,
        answer=digest.span,
        relation=Relation.MENTIONS,
        score=digest.probability,
    )
