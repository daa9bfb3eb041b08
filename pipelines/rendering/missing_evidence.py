"""What was not found, and what would change the verdict; sentences for the reader of a result."""

from collections.abc import Sequence

from core.types import Relation, Verdict
from pipelines.contracts.evidence import Evidence

NO_ARTICLE = "No article in the archive"
"""What a sentence begins with where there is no evidence at all."""


def missing_for_question(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Say why a question was not answered."""
    if not evidence:
        return (f"{NO_ARTICLE} shares enough words with the question; ask with the names that a report would use.",)
    closest = evidence[0].article.headline
    return (
        "No sentence answers the question with enough certainty.",
        f"The closest article is “{closest}”; a report that states the fact outright would allow an answer.",
    )


def missing_for_statement(verdict: Verdict, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Say what a verdict on a statement lacks."""
    if not evidence:
        return (f"{NO_ARTICLE} bears on the statement. That nothing was found does not make it false.",)
    if verdict is Verdict.UNVERIFIED:
        return (
            "The closest sentences neither confirm the statement clearly nor state something else in its place.",
            "A sentence that gives the same fact in like words, or another number, date or name, would settle it.",
        )
    if verdict is Verdict.CONFLICTING:
        return ("Articles disagree; a newer report or a correction would settle it.",)
    relation = Relation.SUPPORTS if verdict is Verdict.VERIFIED else Relation.REFUTES
    origins = {item.article.origin_id or item.article.article_id for item in evidence if item.relation is relation}
    return (
        ("Only one origin reports this; a second, independent one would make it surer.",) if len(origins) == 1 else ()
    )
