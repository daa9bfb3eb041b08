"""Leave out evidence that talks to a machine instead of to a reader."""

from haystack import component

from core.types import Notice
from pipelines.contracts.evidence import Evidence
from pipelines.injection.sanitise import is_hostile, is_tainted, tainted_spans


@component
class InstructionGuard:
    """
    Drop, and count, sentences in or behind an order to a model, and all of an article that is hostile as a whole.

    >>> guard = InstructionGuard()
    >>> guard.run(evidence)["evidence"] == evidence
    True
    """

    @component.output_types(evidence=list[Evidence], warnings=list[Notice])
    def run(self, evidence: list[Evidence]) -> dict[str, object]:
        """
        Filter evidence.

        :returns: `evidence` that is left, in order, its contexts without what was dropped; `warnings`.
        """
        kept = [
            _with_clean_context(item)
            for item in evidence
            if not is_hostile(item.article) and not is_tainted(item.article.body, item.start, item.end)
        ]
        dropped = len(evidence) - len(kept)
        message = f"{dropped} sentences look like orders to a program, not like news; they were left out as evidence."
        warnings = [Notice(code="instruction_like_text", message=message)] if dropped else []
        return {"evidence": kept, "warnings": warnings}


def _with_clean_context(item: Evidence) -> Evidence:
    """Cut the context to what is around the sentence and no order: whole pieces are judged and asked, too."""
    body, first, last = item.article.body, item.context_start, item.context_start + len(item.context)
    for start, end in tainted_spans(body, first, last):
        if end <= item.start:
            first = max(first, end)
        elif start >= item.end:
            last = min(last, start)
    text = body[first:last]
    if not item.context or len(text) == len(item.context):
        return item
    first += len(text) - len(text.lstrip())
    return item.model_copy(update={"context": text.strip(), "context_start": first})
