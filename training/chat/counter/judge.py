"""What a chat model's reply is worth: the system's own five scores, faults and floors."""

from collections.abc import Mapping, Sequence

from pipelines.contracts.evidence import Evidence
from pipelines.generation.replies import read_object
from pipelines.resources import Resources
from pipelines.systems.counter.compose import WORDS, Length, Tone, compose
from pipelines.systems.counter.floors import with_floors
from pipelines.systems.counter.reply_prompt import ReplyForm
from pipelines.systems.counter.scores import Scorer
from pipelines.systems.counter.types import Candidate, JudgedReply
from training.chat.lesson import Judged, Lesson

FAULTY = 0.5
"""What is left of the worth of a reply that the system would not return."""
_NAME = "candidate"


class ClaimJudge:
    """
    Judge replies to one claim.

    :param evidence: Its quotes; not empty.
    """

    def __init__(
        self, claim: str, evidence: Sequence[Evidence], *, tone: Tone, length: Length, resources: Resources
    ) -> None:
        self._evidence, self._tone, self._length = evidence, tone, length
        self._scorer = Scorer(
            claim,
            evidence,
            verifier=resources.verifier(),
            reader=resources.evidence_model(),
            max_words=WORDS[length],
        )

    def judge(self, written: str) -> Judged:
        """
        Judge what a model wrote: the mean of the five scores, half of it for a reply with a fault, 0 without form.

        :param written: The whole reply; must be the JSON object that the prompt asks for.
        """
        form = read_object(written, ReplyForm)
        if form is None:
            return Judged(value=0.0, scores={}, fault="It has not the form that was asked for.")
        reply = self.judge_text(form.reply)
        return Judged(
            value=reply.total * (FAULTY if reply.fault else 1.0),
            scores={score.name: score.value for score in reply.scores},
            fault=reply.fault,
        )

    def judge_text(self, text: str) -> JudgedReply:
        """Judge a reply as the system does, which drops sentences that no quote supports."""
        return with_floors(self._scorer.judge(Candidate(text=text, generator=_NAME)))

    def as_returned(self, text: str) -> str:
        """Return what is left of a reply when the system has checked it; empty: the system would not return it."""
        judged = self.judge_text(text)
        return "" if judged.fault else judged.candidate.text

    def composed(self) -> str:
        """Return the best reply that plain code puts together; empty: none is good enough."""
        replies = compose(self._evidence, tone=self._tone, length=self._length)
        sound = [one for one in (self.judge_text(reply.text) for reply in replies) if not one.fault]
        return max(sound, key=lambda one: one.total).candidate.text if sound else ""


class CounterJudge:
    """
    Judge replies to lessons.

    :param judges: By the lesson's name.
    """

    def __init__(self, judges: Mapping[str, ClaimJudge]) -> None:
        self._judges = judges

    def __call__(self, lesson: Lesson, replies: Sequence[str]) -> list[Judged]:
        """Judge each reply."""
        judge = self._judges[lesson.name]
        return [judge.judge(reply) for reply in replies]
