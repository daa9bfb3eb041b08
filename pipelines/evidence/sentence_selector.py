"""Pick the sentences that bear on the query."""

from haystack import component

from core.types import QueryKind
from pipelines.contracts.evidence import Evidence, Finding
from pipelines.reading.windows import query_weights, sentences_of, share, word_stems


@component
class SentenceSelector:
    """
    Turn findings into candidate evidence, best first.

    For a question, the sentence around each answer span. For a statement, the sentences that share most with it.

    >>> SentenceSelector(max_evidence=1).run("How much did it cost?", QueryKind.QUESTION, findings=[])
    {'evidence': []}

    :param max_evidence: Sentences to keep.
    """

    def __init__(self, *, max_evidence: int = 8) -> None:
        self.max_evidence = max_evidence

    @component.output_types(evidence=list[Evidence])
    def run(
        self,
        query: str,
        kind: QueryKind,
        findings: list[Finding],
        max_evidence: int | None = None,
        least_relevance: float = 0.0,
    ) -> dict[str, list[Evidence]]:
        """
        Pick sentences.

        :param max_evidence: Fewer or more sentences than usual; None: as many as the constructor says.
        :param least_relevance: Of a piece whose sentences may be picked, as a share of the most relevant piece's.
        :returns: `evidence`, best first; one entry per sentence.
        """
        least = least_relevance * max((finding.digest.relevance for finding in findings), default=0.0)
        findings = [finding for finding in findings if finding.digest.relevance >= least]
        if kind is QueryKind.QUESTION:
            picked = [_answer(finding) for finding in findings if finding.digest.end > finding.digest.start]
        else:
            weights = query_weights(query, [finding.digest.context for finding in findings])
            picked = [item for finding in findings for item in _sentences(finding, weights)]
        ordered = sorted(picked, key=lambda item: (-item.score, item.article.article_id, item.start))
        unique = {(item.article.article_id, item.start): item for item in reversed(ordered)}
        best = sorted(unique.values(), key=lambda item: (-item.score, item.article.article_id, item.start))
        ranks = _ranks(findings)
        kept = best[: max_evidence or self.max_evidence]
        return {"evidence": [item.model_copy(update={"rank": ranks[item.article.article_id]}) for item in kept]}


def _ranks(findings: list[Finding]) -> dict[str, int]:
    """Count for each article the others that were found before it."""
    found = sorted(findings, key=lambda finding: finding.rank)
    return {name: rank for rank, name in enumerate(dict.fromkeys(finding.article.article_id for finding in found))}


def _answer(finding: Finding) -> Evidence:
    digest = finding.digest
    return Evidence(
        article=finding.article,
        start=digest.sentence_start,
        end=digest.sentence_end,
        text=digest.sentence,
        context=digest.context,
        context_start=finding.context_start,
        relevance=digest.relevance,
        answer=digest.span,
        score=digest.probability,
    )


def _sentences(finding: Finding, weights: dict[str, float]) -> list[Evidence]:
    """Make evidence of every sentence, scored by the words it shares, alone and with its headline, and by relevance."""
    digest, base = finding.digest, finding.context_start
    head = word_stems(finding.article.headline)
    items = []
    for start, end in sentences_of(digest.context):
        stems = word_stems(digest.context[start:end])
        score = (share(weights, stems) + share(weights, stems | head) + digest.relevance) / 3
        items.append(
            Evidence(
                article=finding.article,
                start=base + start,
                end=base + end,
                text=digest.context[start:end],
                context=digest.context,
                context_start=base,
                relevance=digest.relevance,
                score=min(1.0, score),
            )
        )
    return items
