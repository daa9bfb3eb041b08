"""Answers written by a chat model from the evidence that it is shown."""

from collections.abc import Callable, Sequence

from haystack import component

from core.counting import counted
from core.errors import ConfigError, GeneratorError
from core.settings import GeneratorKind, Settings
from core.types import Notice, QueryKind
from pipelines.contracts.evidence import KEYWORDS, RAW, Draft, Evidence, ShownArticle
from pipelines.contracts.generator import Generator
from pipelines.generation.ask_model import Asked, ask, room_for_evidence
from pipelines.generation.evidence_prompt import (
    Fitted,
    choose_sentences,
    deciding,
    fit,
    render_contexts,
    render_keywords,
    render_references,
)
from pipelines.generation.extractive import ExtractiveGenerator
from pipelines.generation.prompts import load_prompt
from pipelines.generation.server_failures import CONTEXT_FULL
from pipelines.injection.sanitise import as_data
from pipelines.runs.context import report

_RENDER: dict[str, Callable[[Sequence[ShownArticle]], str]] = {
    "references": render_references,
    "contexts": render_contexts,
}
MODES = (*_RENDER, KEYWORDS, RAW)


@component
class ChatAnswerer:
    """
    Ask a chat model, in one of the modes references, contexts, keywords and raw.

    Without a chat model, or where it fails, the articles' own words are the answer:

    >>> draft = ChatAnswerer().run("What did it cost?", QueryKind.QUESTION, evidence)["draft"]
    >>> draft.generator, draft.text
    ('extractive', 'Its repairs cost 48 million crowns Doc[1].')

    :param generator: The chat model; None: there is none.
    :param second_generator: Asked where the first gave no reply; None: there is none.
    :param settings: How they are asked; None: the defaults.
    :param neighbours: Sentences shown before and after each piece of evidence.
    """

    def __init__(
        self,
        *,
        generator: Generator | None = None,
        second_generator: Generator | None = None,
        settings: Settings | None = None,
        neighbours: int = 1,
    ) -> None:
        self.generator = generator
        self.second_generator = second_generator
        self.settings = settings or Settings()
        self.neighbours = neighbours

    def warm_up(self) -> None:
        """Make the client; the server is not asked."""
        if self.generator is not None:
            self.generator.warm_up()

    @component.output_types(draft=Draft)
    def run(self, query: str, kind: QueryKind, evidence: list[Evidence], mode: str | None = None) -> dict[str, Draft]:
        """
        Write the answer.

        :param evidence: Judged, best first. Without any, only raw asks the model.
        :param mode: None: as the settings say.
        :returns: `draft`: the model's reply as it came, with what it was shown; the extractive answer, with a warning,
            where the model gave none and the settings fall back on that.
        :raises ConfigError: If the settings name a mode that does not exist.
        :raises GeneratorError: If the model gave no reply and the settings name nothing to fall back on.
        """
        mode = mode or _known_mode(self.settings.mode)
        if not evidence and mode != RAW:
            return {"draft": Draft(text="", generator="none", mode=mode)}
        failures: list[GeneratorError] = []
        for generator in (self.generator, self.second_generator):
            if generator is None:
                continue
            fitted, asked = self._ask(generator, query, evidence, mode)
            if asked.error is not None and asked.error.reason == CONTEXT_FULL and fitted.articles:
                fitted, asked = self._ask(generator, query, evidence, mode, most=fitted.tokens // 2)
            if asked.reply is not None:
                warnings = [*_fallback(failures, asked.reply.generator), *_notes(fitted, asked, generator)]
                written = Draft(
                    text=asked.reply.text,
                    generator=asked.reply.generator,
                    mode=mode,
                    shown=fitted.articles,
                    warnings=tuple(warnings),
                )
                return {"draft": written}
            failures += [asked.error] if asked.error else []
        if self.settings.generator_fallback is not GeneratorKind.EXTRACTIVE:
            raise failures[-1]
        draft: Draft = ExtractiveGenerator().run(kind=kind, evidence=evidence)["draft"]
        return {"draft": draft.model_copy(update={"warnings": tuple(_fallback(failures, draft.generator))})}

    def _ask(
        self, generator: Generator, query: str, evidence: list[Evidence], mode: str, *, most: int | None = None
    ) -> tuple[Fitted, Asked]:
        """
        Ask once.

        :param most: Tokens of evidence, where the server's context is smaller than the settings say.
        """
        prompt = load_prompt(mode)
        values = {"query": as_data(query)} | ({} if mode == RAW else {"evidence": ""})
        room = room_for_evidence(generator, prompt, values, settings=self.settings)
        room = room if most is None else min(room, most)
        fitted = self._fit(generator, evidence, mode, room)
        if mode == KEYWORDS:
            used = {article.number: article for article in fitted.articles}
            items = [item for item in deciding(evidence) if any(_covers(article, item) for article in used.values())]
            values["evidence"] = render_keywords(items)
        elif mode != RAW:
            values["evidence"] = _RENDER[mode](fitted.articles)
        written = 0

        def listen(piece: str) -> None:
            nonlocal written
            written += 1
            report(done=written, unit="token", message=piece)

        asked = ask(generator, prompt, values, purpose="answer", settings=self.settings, on_token=listen)
        return fitted, asked

    def _fit(self, generator: Generator, evidence: list[Evidence], mode: str, room: int) -> Fitted:
        if mode == RAW:
            return Fitted(articles=(), sentences_cut=0, tokens=0)
        neighbours = 0 if mode == KEYWORDS else self.neighbours
        render = _RENDER.get(mode, render_contexts)
        shown = choose_sentences(evidence, neighbours=neighbours, of=deciding(evidence))
        return fit(shown, room=room, count=generator.count_tokens, render=render)


def _known_mode(mode: str) -> str:
    """
    Return the mode of the settings.

    :raises ConfigError: If there is none of that name: other prompts, and files, have names as well.
    """
    if mode not in MODES:
        raise ConfigError(f"mode is {mode!r}", field="mode", hint=f"Set LOOKSY_MODE to one of: {', '.join(MODES)}.")
    return mode


def _covers(article: ShownArticle, item: Evidence) -> bool:
    return article.article.article_id == item.article.article_id and any(
        one.start < item.end and item.start < one.end for one in article.sentences
    )


def _fallback(failures: list[GeneratorError], writer: str) -> list[Notice]:
    """Say which generators failed, why, and who wrote the answer instead."""
    message = "The generator gave no answer ({}); this was written by {}."
    return [Notice(code="generator_fallback", message=message.format(error.message, writer)) for error in failures]


def _notes(fitted: Fitted, asked: Asked, generator: Generator) -> list[Notice]:
    notices = []
    if fitted.sentences_cut:
        how = "counted" if generator.counts_exactly else "estimated"
        message = (
            f"{counted(fitted.sentences_cut, 'sentence')} of evidence not shown to the model: "
            f"its context is full ({how} tokens)."
        )
        notices.append(Notice(code="evidence_cut", message=message))
    if asked.reply is not None and asked.reply.cut_off:
        message = "The model's reply reached its longest length and was cut off there."
        notices.append(Notice(code="reply_cut_off", message=message))
    return notices
