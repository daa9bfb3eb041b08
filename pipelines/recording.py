"""What the run record keeps of a pipeline's outputs."""

from typing import Any

from core.types import Digest, ModelCall, Retrieved


def retrieved_of(outputs: dict[str, Any]) -> tuple[Retrieved, ...]:
    """Return the passages as the retriever ranked them; empty if the pipeline has no retriever."""
    documents = outputs.get("retriever", {}).get("documents", [])
    return tuple(Retrieved(passage_id=document.id, score=document.score) for document in documents)


def digests_of(outputs: dict[str, Any]) -> tuple[Digest, ...]:
    """Return what the reader found; empty if the pipeline has no reader."""
    return tuple(finding.digest for finding in outputs.get("reader", {}).get("findings", []))


def calls_of(outputs: dict[str, Any]) -> tuple[ModelCall, ...]:
    """Return the requests to generators with their raw replies, in order; empty if no model was asked."""
    draft = outputs.get("generator", {}).get("draft")
    verified = outputs.get("self_verifier", {}).get("calls", [])
    return (*(draft.calls if draft is not None else ()), *verified)
