"""Rulings where the request asks for another: the published News Verifiers behaviour, and the raw baseline."""

import re

from core.types import Relation, Request, Verdict
from pipelines.attribution.markers import cited_numbers, replace_numbers
from pipelines.contracts.evidence import RAW, CheckedAnswer, Draft, Ruling, number_articles

SEED_METHOD = "seed-1"
RAW_METHOD = "raw-1"


def restyle(ruling: Ruling, draft: Draft, checked: CheckedAnswer, request: Request) -> Ruling:
    """
    Return the ruling that the request asks for.

    style=seed: verified exactly when the answer cites a document that was given. mode=raw: the model's own words, never
    verified by what it says, and supported by nothing. Otherwise the ruling itself, its citations numbered as its
    references are.
    """
    if request.options.get("style") == "seed":
        seed = _seed(ruling, checked)
        return _without_support(seed) if draft.mode == RAW else seed
    if draft.mode == RAW and checked.text:
        return _without_support(ruling).model_copy(
            update={
                "verdict": Verdict.UNVERIFIED,
                "method": RAW_METHOD,
                "confidence": 0.0,
                "answer": checked.text,
                "missing": ("The model was shown no evidence: its answer rests on nothing that can be checked.",),
            }
        )
    return ruling.model_copy(update={"answer": renumber(ruling.answer, checked, ruling)})


def renumber(text: str, checked: CheckedAnswer, ruling: Ruling) -> str:
    """Number citations as the references of the ruling are; drop those of articles that are not references any more."""
    before = {number: article_id for article_id, number in number_articles(list(checked.evidence)).items()}
    now = number_articles(list(ruling.evidence))

    text = replace_numbers(text, lambda number: now.get(before.get(number, "")))
    return re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"\s{2,}", " ", text)).strip()


def _without_support(ruling: Ruling) -> Ruling:
    """Let all evidence only mention: what a model was not shown is not support of what it wrote."""
    evidence = tuple(item.model_copy(update={"relation": Relation.MENTIONS}) for item in ruling.evidence)
    return ruling.model_copy(update={"evidence": evidence})


def _seed(ruling: Ruling, checked: CheckedAnswer) -> Ruling:
    given = set(number_articles(list(checked.evidence)).values())
    cites = not given.isdisjoint(cited_numbers(checked.text))
    return ruling.model_copy(
        update={
            "verdict": Verdict.VERIFIED if cites else Verdict.UNVERIFIED,
            "method": SEED_METHOD,
            "confidence": 1.0 if cites else 0.0,
            "answer": checked.text,
            "evidence": checked.evidence,
            "has_evidence": bool(checked.evidence),
        }
    )
