"""Ask about a text: questions by a chat model where there is one, and by plain code; the checks are the same."""

from collections.abc import Sequence
from typing import Annotated

from haystack import component
from pydantic import Field

from core.settings import Settings
from core.types import Model, Notice
from models.calibration import UNCALIBRATED, Calibration
from pipelines.claims import Claim, find_claims
from pipelines.contracts.generator import Generator
from pipelines.contracts.span_reader import SpanReader
from pipelines.generation.ask_model import room_for_evidence
from pipelines.generation.prompts import load_prompt
from pipelines.generation.replies import ask_for_object
from pipelines.injection.sanitise import as_data
from pipelines.reading.answer_features import answer_features, candidate
from pipelines.reading.windows import cut, query_weights, share, word_stems
from pipelines.systems.lateral.entities import named_in, people_of
from pipelines.systems.lateral.question_selection import check_questions
from pipelines.systems.lateral.question_templates import build_questions
from pipelines.systems.lateral.types import Asked, Aspect, Question, SourceText

PROMPT = "lateral"
PIECES_READ = 2
"""Pieces of the text in which the reader looks for the answer to a question."""
MAX_CLAIMS = 20
_MODEL_WORTH = 100.0
"""A model's questions come before those of plain code."""


class _Reply(Model):
    questions: Annotated[tuple[Annotated[str, Field(max_length=500)], ...], Field(max_length=20)]


@component
class LateralAsker:
    """
    Make questions about a text.

    :param reader: Says which questions the text answers itself.
    :param calibration: What its scores are worth.
    :param generator: The chat model; None: there is none.
    :param settings: How it is asked; None: the defaults.
    :param candidates: Questions to hand on; some of them may turn out not to be answerable.
    :param known_from: Probability, by the reader, from which the text itself answers a question.
    """

    def __init__(
        self,
        *,
        reader: SpanReader,
        calibration: Calibration = UNCALIBRATED,
        generator: Generator | None = None,
        settings: Settings | None = None,
        candidates: int = 6,
        known_from: float = 0.5,
    ) -> None:
        self.reader = reader
        self.calibration = calibration
        self.generator = generator
        self.settings = settings or Settings()
        self.candidates = candidates
        self.known_from = known_from

    @component.output_types(asked=Asked)
    def run(self, source: SourceText) -> dict[str, Asked]:
        """
        Ask.

        :returns: `asked`, questions best first.
        """
        by_model, generator, notices = self._by_model(source.text)
        questions = by_model + build_questions(claims_of(source), text=source.text)
        kept, rejected = check_questions(
            questions,
            answered_by_text=lambda texts: self._answered(texts, source.text),
            limit=self.candidates,
        )
        wrote = generator if any(question.aspect is Aspect.MODEL for question in kept) else None
        asked = Asked(questions=tuple(kept), rejected=tuple(rejected), generator=wrote, warnings=tuple(notices))
        return {"asked": asked}

    def _by_model(self, text: str) -> tuple[list[Question], str | None, list[Notice]]:
        generator, settings = self.generator, self.settings
        if generator is None:
            return [], None, []
        prompt = load_prompt(PROMPT)
        values = {"text": "", "count": str(self.candidates)}
        room = room_for_evidence(generator, prompt, values, settings=settings)
        shown = as_data(" ".join(text.split()))  # on one line, which ends no part of the prompt
        while shown and generator.count_tokens(shown) > room:
            shown = shown[: int(len(shown) * 0.8)].rsplit(" ", 1)[0]
        replied = ask_for_object(generator, prompt, values | {"text": shown}, _Reply, settings=settings)
        texts = [" ".join(one.split()) for one in replied.value.questions] if replied.value else []
        people = people_of(text)
        found = [
            Question(text=one, aspect=Aspect.MODEL, people=named_in(people, one), score=_MODEL_WORTH - number)
            for number, one in enumerate(texts)
            if one
        ]
        return found, generator.name, list(replied.notices)

    def _answered(self, questions: Sequence[str], text: str) -> list[bool]:
        """Let the reader say of each question whether the text answers it."""
        pairs = [(question, piece) for question in questions for piece in _closest(question, text)]
        readings = self.reader.read(pairs)
        known = {
            question
            for (question, piece), reading in zip(pairs, readings, strict=True)
            if self.calibration.answer_probability(answer_features(question, candidate(piece, "", reading, rank=0)))
            >= self.known_from
        }
        return [question in known for question in questions]


def make_questions(source: SourceText, *, limit: int) -> list[Question]:
    """Make the questions of plain code alone, not asking whether the text answers them."""
    questions = build_questions(claims_of(source), text=source.text)
    return check_questions(questions, answered_by_text=lambda texts: [False] * len(texts), limit=limit)[0]


def claims_of(source: SourceText) -> list[Claim]:
    """Return the claims of a text that stand alone, most worth first; earlier ones first among equals."""
    written_on = source.article.published_at.date() if source.article and source.article.published_at else None
    found = find_claims(source.text, written_on=written_on)
    return [claim for claim in found.working_order() if not claim.unclear][:MAX_CLAIMS]


def _closest(question: str, text: str) -> list[str]:
    pieces = [text[start:end] for start, end in cut(text)]
    weights = query_weights(question, pieces)
    return sorted(pieces, key=lambda piece: -share(weights, word_stems(piece)))[:PIECES_READ]
