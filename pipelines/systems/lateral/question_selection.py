"""Which questions are kept: understood by themselves, not answered by the text, and different from each other."""

from collections.abc import Callable, Sequence

from pipelines.injection.sanitise import looks_like_instruction
from pipelines.reading.windows import word_stems
from pipelines.systems.lateral.coreference import not_self_contained
from pipelines.systems.lateral.types import KNOWN, Question

MAX_WORDS = 45
SAME_FROM = 0.6
"""Share of common words, of all words of both, from which two questions are one."""
_ALIKE_COST = 2.0
_SAME_ASPECT_COST = 0.7

AnsweredBy = Callable[[Sequence[str]], list[bool]]
"""Questions to whether the text itself answers each."""


def form_fault(text: str) -> str:
    """Return what is wrong with a question by itself; empty: nothing."""
    if not text.rstrip().endswith("?"):
        return "it is not a question"
    if text.count("?") > 1:
        return "it asks more than one thing"
    if len(text.split()) > MAX_WORDS:
        return f"it has more than {MAX_WORDS} words"
    if looks_like_instruction(text):
        return "it talks to a program"
    return not_self_contained(text)


def check_questions(
    questions: Sequence[Question], *, answered_by_text: AnsweredBy, limit: int
) -> tuple[list[Question], list[tuple[str, str]]]:
    """
    Drop what is not to be asked, and order the rest so that its beginning is diverse.

    :param questions: Best first.
    :param limit: Questions to keep, and to let the reader check at most twice as many of.
    :returns: Those that are kept; and question and reason of those that are not.
    """
    rejected: list[tuple[str, str]] = []
    formed = []
    for question in questions:
        fault = form_fault(question.text)
        if fault:
            rejected.append((question.text, fault))
        else:
            formed.append(question)
    spread = diverse(formed, limit=2 * limit)
    asked = [question for question in spread if not question.is_whole]  # what a text says, it does not ask itself
    answered = dict(zip(asked, answered_by_text([question.text for question in asked]), strict=True))
    known = [one for one in spread if answered.get(one, False)]
    rejected += [(one.text, KNOWN) for one in known]
    return diverse([one for one in spread if one not in known], limit=limit), rejected


def diverse(questions: Sequence[Question], *, limit: int) -> list[Question]:
    """
    Choose one by one the question of most worth that is least like those that were chosen; near copies never.

    First one for each matter; where the text has too few of them, further ones that ask something else of the same.
    """
    left, chosen = list(questions), list[Question]()
    for about in (_matter, _words):
        kept: list[Question] = []
        while left and len(chosen) < limit:
            best = max(left, key=lambda one: _gain(one, chosen))
            left.remove(best)
            if all(likeness(about(best), about(other)) < SAME_FROM for other in chosen):
                chosen.append(best)
            else:
                kept.append(best)
        left = kept + left
    return chosen


def likeness(first: str, second: str) -> float:
    """Return the share of common words among all words of two questions; 0 to 1."""
    ours, theirs = word_stems(first), word_stems(second)
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


def _matter(question: Question) -> str:
    """Return what a question is about: of two about one statement, one is enough."""
    return question.claim or question.text


def _words(question: Question) -> str:
    return question.text


def _gain(question: Question, chosen: Sequence[Question]) -> float:
    alike = max((likeness(_matter(question), _matter(other)) for other in chosen), default=0.0)
    same = sum(question.aspect is other.aspect for other in chosen)
    return question.score - _ALIKE_COST * alike - _SAME_ASPECT_COST * same
