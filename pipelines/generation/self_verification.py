"""Ask the generator whether its answer is correct, and read its reply."""

import math
import re
from collections.abc import Iterator, Mapping

from haystack import component

from core.settings import Settings
from core.types import Model, Notice, Probability
from pipelines.contracts.evidence import Draft, Evidence
from pipelines.contracts.generator import Generator
from pipelines.generation.ask_model import ask, room_for_evidence
from pipelines.generation.evidence_prompt import choose_sentences, fit, render_contexts
from pipelines.generation.prompts import load_prompt
from pipelines.injection.sanitise import as_data

PROMPT = "self_verification"
_WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)*")
_CLAUSE = re.compile(r"[.,;:!?()\n\u2013\u2014]|\b(?:and|but|because)\b")
_YES = frozenset({"yes", "y", "yeah", "correct", "true", "right"})
_NO = frozenset({"no", "n", "nope", "incorrect", "false", "wrong"})
_NEGATIONS = frozenset({"not", "never", "cannot", "neither", "hardly"})
_UNSURE = frozenset({"sure", "certain", "know", "say", "tell", "if", "whether"})
"""What a negation turns into neither: "not sure that it is right"."""


class SelfVerification(Model):
    """What came of asking."""

    says_yes: bool | None
    """None: the reply was neither yes nor no, or there was none."""
    probability: Probability | None
    """Of yes against no, from log-probabilities; None where the server gives none."""


def read_reply(text: str, *, first_token: Mapping[str, float] | None = None) -> SelfVerification:
    """
    Read a reply.

    :param text: Words that mean yes or no count, the other way round where their clause denies them ("not correct"),
        and must agree: "yes and no" is neither.
    :param first_token: Likeliest tokens at the first place, with their log-probabilities.
    """
    said = {yes for clause in _CLAUSE.split(text.lower()) for yes in _said(clause)}
    says_yes = said.pop() if len(said) == 1 else None
    return SelfVerification(says_yes=says_yes, probability=yes_probability(first_token or {}))


def _said(clause: str) -> Iterator[bool]:
    """Give for each word of a clause that means yes or no whether yes is meant."""
    denied = unsure = False
    for word in _WORD.findall(clause):
        if word in _YES or word in _NO:
            if not unsure:
                yield (word in _YES) is not denied
        elif word in _NEGATIONS or word.endswith(("n't", "n\u2019t")):
            denied = True
        else:
            unsure = unsure or (denied and word in _UNSURE)


def yes_probability(first_token: Mapping[str, float]) -> float | None:
    """
    Return the probability of yes, given that the reply is yes or no.

    Tokens that differ in case or blanks are added up.

    :returns: None if neither is among the tokens.
    """
    masses = {True: 0.0, False: 0.0}
    for token, logprob in first_token.items():
        word = token.strip(" \u2581\u0120\"'.").lower()
        if word in _YES or word in _NO:
            masses[word in _YES] += math.exp(min(logprob, 0.0))
    total = masses[True] + masses[False]
    return min(1.0, masses[True] / total) if total > 0 else None


@component
class SelfVerifier:
    """
    Ask yes or no, where the settings want it and a chat model is there.

    The outcome is recorded and reported. A yes never makes an answer verified; a no is a warning to the reader.

    >>> SelfVerifier().run("What did it cost?", Draft(text="48 million Doc[1].", generator="extractive"), evidence)
    {'outcome': None, 'warnings': []}

    :param generator: The chat model; None: there is none.
    :param settings: How it is asked; None: the defaults.
    """

    def __init__(self, *, generator: Generator | None = None, settings: Settings | None = None) -> None:
        self.generator = generator
        self.settings = settings or Settings()

    @component.output_types(outcome=SelfVerification | None, warnings=list[Notice])
    def run(self, query: str, draft: Draft, evidence: list[Evidence]) -> dict[str, object]:
        """
        Ask.

        :param draft: Checked: what will be shown.
        :param evidence: What it rests on.
        :returns: `outcome`, None where nobody was asked; `warnings`.
        """
        settings, generator = self.settings, self.generator
        if not settings.self_verification or generator is None or not draft.text:
            return {"outcome": None, "warnings": []}
        prompt = load_prompt(PROMPT)
        values = {"query": as_data(query), "answer": as_data(draft.text), "evidence": ""}
        room = room_for_evidence(generator, prompt, values, settings=settings)
        fitted = fit(choose_sentences(evidence), room=room, count=generator.count_tokens, render=render_contexts)
        values["evidence"] = render_contexts(fitted.articles) or "(none)"
        asked = ask(generator, prompt, values, purpose=PROMPT, settings=settings, want_logprobs=True)
        outcome = read_reply(asked.text, first_token=asked.first_token)
        return {"outcome": outcome, "warnings": _warnings(outcome, failed=asked.reply is None)}


def _warnings(outcome: SelfVerification, *, failed: bool) -> list[Notice]:
    if failed:
        message = "The model did not reply when it was asked whether its answer is correct."
        return [Notice(code="self_verification_failed", message=message)]
    if outcome.says_yes is None:
        message = "Asked whether its answer is correct, the model said neither yes nor no."
        return [Notice(code="self_verification_unclear", message=message)]
    if not outcome.says_yes:
        message = "Asked whether its answer is correct, the model said no."
        return [Notice(code="self_verification_no", message=message)]
    return []
