"""Whom and what a sentence of a text means, put into it so that it stands alone. English."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from pipelines.claims.first_person import name_speaker
from pipelines.claims.mentions import Mentions
from pipelines.claims.pronouns import name_object, name_person, name_thing
from pipelines.claims.rewriting import Rewriting, Step
from pipelines.claims.roles import name_role, name_surname
from pipelines.claims.written_dates import dated

_STEPS: tuple[Callable[[str, Mentions], Step], ...] = (name_person, name_thing, name_object, name_role, name_surname)


@dataclass
class Discourse:
    """
    What a text has said so far. Sentences are read in order.

    :param written_on: The day of the text, for "last year".
    :param speaker: Who says "I" in it; empty: not known.
    """

    written_on: date | None = None
    speaker: str = ""
    mentions: Mentions = field(default_factory=Mentions)

    def rewrite(self, sentence: str, *, speaker: str = "") -> Rewriting:
        """Say a sentence so that it stands alone, from what was read before it."""
        text, replaced, undated = dated(sentence, self.written_on)
        unclear = f"“{undated}” depends on when it was said." if undated else ""
        text, found, problem = name_speaker(text, speaker or self.speaker)
        replaced, unclear = [*replaced, *found], unclear or problem
        for step in _STEPS:
            text, found, problem = step(text, self.mentions)
            replaced, unclear = [*replaced, *found], unclear or problem
        return Rewriting(text=text, replaced=tuple(replaced), unclear=unclear)

    def read(self, sentence: str, *, rewritten: str | None = None) -> None:
        """Note whom and what a sentence names, and what it is about."""
        self.mentions.read(sentence, rewritten=rewritten)
