"""Ask the generator whether its answer is correct."""

from haystack import component

from core.settings import Settings
from core.types import Notice
from pipelines.attribution.self_verification import SelfVerification, read_reply
from pipelines.contracts.evidence import Draft, Evidence
from pipelines.contracts.generator import Generator
from pipelines.generation.ask_model import ask, room_for_evidence
from pipelines.generation.evidence_prompt import choose_sentences, fit, render_contexts
from pipelines.generation.prompts import load_prompt
from pipelines.injection.sanitise import as_data

PROMPT = "self_verification"


@component
class SelfVerifier:
    """
    Ask yes or no, where the settings want it and a chat model is there.

    The outcome is recorded and reported. A yes never makes an answer verified; a no is a warning to the reader.

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
