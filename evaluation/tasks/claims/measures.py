"""Figures over the marked sentences of texts."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.data.formats.labels import Label
from evaluation.data.formats.marked_texts import Mark
from evaluation.measures.stats.clustered import clustered_statistic
from evaluation.measures.values import MeasureValue
from evaluation.reports.models import Definition, Table

HEADLINE = (
    "precision", "recall", "claims_found", "empty_taken", "false_flagged", "false_verified", "true_verified",
    "true_flagged_per_1000_words",
)  # fmt: skip
DEFINITIONS = tuple(
    Definition(name=name, definition=definition, source=source)
    for name, definition, source in (
        ("precision", "Share of the sentences taken as claims that are marked as claims.", ""),
        ("recall", "Share of the sentences marked as claims that are taken.", ""),
        ("f1", "Harmonic mean of both.", ""),
        (
            "worth_ap",
            "Average precision of the check-worthiness; unimportant facts count as not worth it.",
            "Arslan et al., ICWSM 2020.",
        ),
        ("unclear", "Share of the claims that do not stand alone and are not judged.", ""),
        ("names_told", "Share of the sentences with names to tell whose wording that stands alone holds them all.", ""),
        ("claims_found", "Share of the statements with a verdict that are taken as claims.", ""),
        ("empty_taken", "Share of the sentences between them that are taken; lower is better.", ""),
        ("false_flagged", "Share of the false statements of which a claim is refuted or conflicting.", ""),
        ("false_verified", "Share of the false statements of which every claim is verified; lower is better.", ""),
        ("true_verified", "Share of the true statements of which every claim is verified.", ""),
        ("true_flagged", "Share of the true statements of which a claim is flagged: a false alarm.", ""),
        ("true_flagged_per_1000_words", "These, in 1,000 words of text; lower is better.", ""),
        ("open_flagged", "Share of the statements that nothing settles of which a claim is flagged.", ""),
        ("open_verified", "Share of these of which every claim is verified.", ""),
        ("claims_per_minute", "Claims that were judged in a minute, on this machine.", ""),
        ("share_*", "Share of the time that a stage took; claims judged together wait for each other in it.", ""),
    )
)


@dataclass(frozen=True)
class Sentence:
    """A marked sentence, and what was found in it."""

    text_id: str
    words: float
    """Of its text, for each of the text's sentences the same."""
    mark: Mark
    gold: Label | None
    taken: bool
    worth: float
    claims: int
    unclear: int
    named: bool | None
    """None: there is no name to tell."""
    flagged: bool
    verified: bool


Values = Sequence[Sentence]
Statistic = Callable[[Values], float | None]


def claim_measures(sentences: Values, *, intervals: bool = True) -> dict[str, MeasureValue]:
    """
    Compute what the marks allow.

    :param intervals: Also 95 % intervals, by resampling texts.
    """
    wanted: dict[str, Statistic] = {"precision": _precision, "recall": _recall, "f1": _f1, "unclear": _unclear}
    if any(one.mark is Mark.UNIMPORTANT for one in sentences):
        wanted["worth_ap"] = _worth_ap
    if any(one.named is not None for one in sentences):
        wanted["names_told"] = _share(lambda one: one.named is not None, lambda one: bool(one.named))
    if any(one.gold is not None for one in sentences):
        wanted |= _VERDICTS
    return {name: _measure(sentences, statistic, intervals=intervals) for name, statistic in wanted.items()}


def _measure(sentences: Values, statistic: Statistic, *, intervals: bool) -> MeasureValue:
    if not intervals:
        return MeasureValue(value=statistic(sentences), n=len(sentences))
    return clustered_statistic(
        [one.text_id for one in sentences], lambda picks: statistic([sentences[at] for at in picks]), resamples=500
    )


def verdict_table(sentences: Values) -> tuple[Table, ...]:
    """Count what became of true, false and open statements; no table where none has a verdict."""
    judged = [one for one in sentences if one.gold is not None]
    if not judged:
        return ()
    counts = Counter((one.gold, _outcome(one)) for one in judged)
    columns = ("verified", "flagged", "undecided", "not taken")
    rows = tuple(
        (label.value, *(counts[label, name] for name in columns))
        for label in Label
        if any(k[0] is label for k in counts)
    )
    return (Table(title="What became of the statements", columns=("statement", *columns), rows=rows),)


def _outcome(one: Sentence) -> str:
    if not one.taken:
        return "not taken"
    return "flagged" if one.flagged else "verified" if one.verified else "undecided"


def _share(of: Callable[[Sentence], bool], hit: Callable[[Sentence], bool]) -> Statistic:
    def share(sentences: Values) -> float | None:
        kept = [one for one in sentences if of(one)]
        return sum(map(hit, kept)) / len(kept) if kept else None

    return share


_precision = _share(lambda one: one.taken and one.mark is not Mark.UNIMPORTANT, lambda one: one.mark is Mark.CLAIM)
_recall = _share(lambda one: one.mark is Mark.CLAIM, lambda one: one.taken)


def _f1(sentences: Values) -> float | None:
    precision, recall = _precision(sentences), _recall(sentences)
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _unclear(sentences: Values) -> float | None:
    claims = sum(one.claims for one in sentences)
    return sum(one.unclear for one in sentences) / claims if claims else None


def _worth_ap(sentences: Values) -> float | None:
    """Rank by worth; those of equal worth count as if drawn in every order, so that a tie wins nothing."""
    worth = np.array([one.worth for one in sentences])
    right = np.array([one.mark is Mark.CLAIM for one in sentences], dtype=np.float64)
    if not right.sum():
        return None
    order = np.argsort(-worth, kind="stable")
    worth, right = worth[order], right[order]
    ends = np.flatnonzero(np.append(worth[1:] != worth[:-1], True))  # last of each run of equal worth
    hits = right.cumsum()[ends]
    return float((np.diff(hits, prepend=0.0) * hits / (ends + 1)).sum() / right.sum())


def _true_flagged_per_1000(sentences: Values) -> float | None:
    words = sum(one.words for one in sentences)
    return 1000 * sum(one.gold is Label.SUPPORTS and one.flagged for one in sentences) / words if words else None


def _gold(label: Label) -> Callable[[Sentence], bool]:
    return lambda one: one.gold is label


_VERDICTS: dict[str, Statistic] = {
    "claims_found": _share(lambda one: one.gold is not None, lambda one: one.taken),
    "empty_taken": _share(lambda one: one.mark is Mark.NONE, lambda one: one.taken),
    "false_flagged": _share(_gold(Label.REFUTES), lambda one: one.flagged),
    "false_verified": _share(_gold(Label.REFUTES), lambda one: one.verified),
    "true_verified": _share(_gold(Label.SUPPORTS), lambda one: one.verified),
    "true_flagged": _share(_gold(Label.SUPPORTS), lambda one: one.flagged),
    "true_flagged_per_1000_words": _true_flagged_per_1000,
    "open_flagged": _share(_gold(Label.NEITHER), lambda one: one.flagged),
    "open_verified": _share(_gold(Label.NEITHER), lambda one: one.verified),
}
