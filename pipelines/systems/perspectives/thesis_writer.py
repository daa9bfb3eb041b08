"""Let a chat model put each thesis in one sentence, and keep it only where the article supports it."""

from haystack import component
from pydantic import Field

from core.counting import counted
from core.settings import Settings
from core.text import visible
from core.types import Model, Notice
from pipelines.attribution.citations import read_citations
from pipelines.attribution.support import Fate, check_sentence
from pipelines.contracts.generator import Generator
from pipelines.contracts.verifier import Verifier
from pipelines.generation.ask_model import room_for_evidence
from pipelines.generation.evidence_prompt import choose_sentences, fit, render_references
from pipelines.generation.prompts import load_prompt
from pipelines.generation.replies import ask_for_object
from pipelines.injection.sanitise import as_data
from pipelines.systems.perspectives.types import Thesis

PROMPT = "perspectives_thesis"
MOST_WORDS = 45


class _Reply(Model):
    thesis: str = Field(min_length=1, max_length=600)


@component
class ThesisWriter:
    """
    Write theses. Without a chat model, and wherever its sentence fails a check, the thesis stays a quote.

    :param verifier: Judges whether the article bears out a thesis.
    :param generator: The chat model; None: there is none.
    :param settings: How it is asked; None: the defaults.
    """

    def __init__(
        self, *, verifier: Verifier, generator: Generator | None = None, settings: Settings | None = None
    ) -> None:
        self.verifier = verifier
        self.generator = generator
        self.settings = settings or Settings()

    @component.output_types(theses=list[Thesis], warnings=list[Notice])
    def run(self, query: str, theses: list[Thesis]) -> dict[str, object]:
        """
        Write.

        :returns: `theses`, in order; `warnings`.
        """
        generator = self.generator
        if generator is None:
            return {"theses": theses, "warnings": []}
        written: list[Thesis] = []
        notices: dict[str, Notice] = {}
        refused = 0
        for thesis in theses:
            text = None if "generator_failed" in notices else self._ask(generator, query, thesis, notices)
            supported = text is not None and self._is_supported(text, thesis)
            refused += text is not None and not supported
            update = {"text": text, "generator": generator.name} if supported else {}
            written.append(thesis.model_copy(update=update))
        if refused:
            message = (
                f"Not supported by their articles, so that quotes stand instead: {counted(refused, 'sentence')} "
                "of the chat model."
            )
            notices["unsupported_dropped"] = Notice(code="unsupported_dropped", message=message)
        return {"theses": written, "warnings": list(notices.values())}

    def _ask(self, generator: Generator, query: str, thesis: Thesis, notices: dict[str, Notice]) -> str | None:
        prompt = load_prompt(PROMPT)
        values = {"query": as_data(query), "evidence": ""}
        room = room_for_evidence(generator, prompt, values, settings=self.settings)
        shown = choose_sentences(thesis.quotes)
        fitted = fit(shown, room=room, count=generator.count_tokens, render=render_references)
        values["evidence"] = render_references(fitted.articles)
        replied = ask_for_object(generator, prompt, values, _Reply, settings=self.settings)
        notices.update({notice.code: notice for notice in replied.notices})
        return None if replied.value is None else " ".join(visible(replied.value.thesis).split())

    def _is_supported(self, text: str, thesis: Thesis) -> bool:
        cited = read_citations(text, given=())
        if len(text.split()) > MOST_WORDS or "Doc[" in text or cited.dropped:
            return False
        verifier = self.verifier
        shown = choose_sentences(thesis.quotes)
        fates = {
            check_sentence(one, shown, judge=lambda pairs: [judged.supports for judged in verifier.judge(pairs)]).fate
            for one in cited.sentences
        }
        return fates == {Fate.SUPPORTED}
