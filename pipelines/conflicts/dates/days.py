"""When something happened: the day that a statement names against those of a quote."""

from dataclasses import replace
from datetime import date, timedelta

from core.words import stem, stems, words
from pipelines.conflicts.analysis import Analysis
from pipelines.conflicts.dates.dates import DateMention, date_mentions, disagree
from pipelines.conflicts.dates.relative_dates import WEEK, moved, steps
from pipelines.conflicts.lexicon import NOT_NAMES
from pipelines.conflicts.names.names import is_negation
from pipelines.contracts.evidence import Conflict, ConflictKind

_REACH = 6
"""Words on either side of a day that may say what happened on it."""
_SHORTEST = 5
_SAYING = stems("said say says saying told tell tells announce report state according added spoke write wrote publish")
_BESIDE = 3
"""Words on either side within which a verb of saying has the day for itself, "on" counted."""


def day_conflicts(statement: Analysis, sentence: Analysis, *, published: date | None) -> list[Conflict]:
    """
    Return the day that the quote gives otherwise, if both say the same of it.

    A statement's own "yesterday" or "last month" is not compared: it is not known when it was made. A month that may be
    no date makes no conflict, but may unmake one. Where the sentence counts on from its day ("a day after he was
    arrested"), the day that it comes to is not told otherwise.

    :param published: Day of publication of the article that the sentence is from, UTC.
    """
    stated = date_mentions(statement.text, published=None)
    found = [one for one in date_mentions(sentence.text, published=published) if not _of_saying(sentence.text, one)]
    ours, theirs = [one for one in stated if one.is_sure], [one for one in found if one.is_sure]
    pairs = [(one, other) for one in stated for other in found if one.is_sure or other.is_sure]
    pairs += [(one, _moved(other, days)) for one, other in pairs for days in steps(sentence.text)]
    if len(ours) != 1 or not theirs or not all(disagree(one, other) for one, other in pairs):
        return []
    shared = _about(statement.text, ours[0]) & set().union(*(_about(sentence.text, one) for one in theirs))
    return [Conflict(kind=ConflictKind.DAY, stated=ours[0].text, found=theirs[0].text)] if shared else []


def _moved(mention: DateMention, days: int) -> DateMention:
    step = timedelta(days=days)
    return replace(
        mention,
        first=mention.first and mention.first + step,
        last=mention.last and mention.last + step,
        weekdays=mention.weekdays and frozenset((day + days) % WEEK for day in mention.weekdays),
        month_days=mention.month_days and moved(mention.month_days, days),
    )


def _of_saying(text: str, mention: DateMention) -> bool:
    beside = words(text[: mention.start])[-_BESIDE:] + words(text[mention.end :])[: _BESIDE - 1]
    return any(stem(word) in _SAYING for word in beside)


def _about(text: str, mention: DateMention) -> set[str]:
    """Return the stems of the content words around a day."""
    around = words(text[: mention.start])[-_REACH:] + words(text[mention.end :])[:_REACH]
    stems = {
        stem(word) for word in around if len(word) >= _SHORTEST and word not in NOT_NAMES and not is_negation(word)
    }
    return stems - _SAYING
