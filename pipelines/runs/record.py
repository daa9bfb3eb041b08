"""What the run record keeps of a pipeline's outputs."""

from collections.abc import Sequence
from typing import Any

from core.types import Digest, Retrieved
from pipelines.contracts.evidence import Evidence


def retrieved_of(runs: Sequence[dict[str, Any]]) -> tuple[Retrieved, ...]:
    """
    Return the passages as the retriever ranked them; those of all its searches; empty if it has none.

    :param runs: Outputs of the pipeline, once for each part of the request.
    """
    documents = [document for outputs in runs for document in _found_by(outputs, "retriever").get("documents", [])]
    return tuple(dict.fromkeys(Retrieved(passage_id=document.id, score=document.score) for document in documents))


def digests_of(runs: Sequence[dict[str, Any]]) -> tuple[Digest, ...]:
    """Return what the reader found; empty if the pipeline has no reader."""
    return tuple(finding.digest for outputs in runs for finding in _found_by(outputs, "reader").get("findings", []))


def _found_by(outputs: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = outputs.get(name) or outputs.get("answers") or {}
    return found


def verdict_inputs_of(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """
    Return what the verdict was made from: judged evidence, and the checks of a model's sentences.

    Of a request that was taken apart, evidence and sentences of all parts; `parts` counts them.
    """
    each = [_inputs_of(outputs) for outputs in runs] or [_inputs_of({})]
    if len(each) == 1:
        return each[0]
    joined = {name: [one for inputs in each for one in inputs[name]] for name in ("evidence", "sentences")}
    return each[0] | joined | {"parts": len(each)}


def _inputs_of(outputs: dict[str, Any]) -> dict[str, Any]:
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
