"""What the run record keeps of a pipeline's outputs."""

from typing import Any

from core.types import Digest, Retrieved
from pipelines.contracts.evidence import Evidence


def retrieved_of(outputs: dict[str, Any]) -> tuple[Retrieved, ...]:
    """Return the passages as the retriever ranked them; those of all its searches; empty if it has none."""
    documents = (outputs.get("retriever") or outputs.get("answers") or {}).get("documents", [])
    return tuple(Retrieved(passage_id=document.id, score=document.score) for document in documents)


def digests_of(outputs: dict[str, Any]) -> tuple[Digest, ...]:
    """Return what the reader found; empty if the pipeline has no reader."""
    return tuple(
        finding.digest for finding in (outputs.get("reader") or outputs.get("answers") or {}).get("findings", [])
    )


def verdict_inputs_of(outputs: dict[str, Any]) -> dict[str, Any]:
    """Return what the verdict was made from: judged evidence, and the checks of a model's sentences."""
    checked = outputs.get("checker", {}).get("checked")
    draft = outputs.get("supporter", {}).get("draft")
    found: dict[str, Any] = {
        "evidence": [_judged(item) for item in checked.evidence] if checked is not None else [],
        "written_by": draft.generator if draft is not None else None,
        "mode": draft.mode if draft is not None else None,
        "sentences": [check.model_dump(mode="json") for check in outputs.get("supporter", {}).get("checks", [])],
    }
    if (verified := outputs.get("self_verifier", {}).get("outcome")) is not None:
        found["self_verification"] = verified.model_dump(mode="json")
    return found


def _judged(item: Evidence) -> dict[str, Any]:
    plain = item.model_dump(mode="json", exclude={"article"})
    return {"article_id": item.article.article_id, "revision": item.article.revision} | plain
