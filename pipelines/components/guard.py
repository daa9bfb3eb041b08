"""Leave out evidence that talks to a machine instead of to a reader."""

from haystack import component

from core.types import Notice
from pipelines.findings import Evidence
from pipelines.neutralise import is_hostile, is_tainted


@component
class InstructionGuard:
    """Drop, and count, sentences in or behind an order to a model, and all of an article that is hostile as a whole."""

    @component.output_types(evidence=list[Evidence], warnings=list[Notice])
    def run(self, evidence: list[Evidence]) -> dict[str, object]:
        """
        Filter evidence.

        :returns: `evidence` that is left, in order; `warnings`.
        """
        kept = [
            item
            for item in evidence
            if not is_hostile(item.article) and not is_tainted(item.article.body, item.start, item.end)
        ]
        dropped = len(evidence) - len(kept)
        message = f"{dropped} sentences look like orders to a program, not like news; they were left out as evidence."
        warnings = [Notice(code="instruction_like_text", message=message)] if dropped else []
        return {"evidence": kept, "warnings": warnings}
