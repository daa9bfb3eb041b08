"""Where an article stands towards a statement: its sentences and the pieces around them, judged together."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.sentences import sentence_spans
from core.types import Probability, Relation
from models.calibration import VerdictThresholds
from pipelines.conflicts.analysis import analyse, says_rest
from pipelines.conflicts.numbers.quantities import agree, comparable
from pipelines.conflicts.severity import EFFECTS, HARD, is_firm, refuting
from pipelines.contracts.evidence import Conflict, ConflictKind, Evidence, piece_premise, premise
from pipelines.contracts.verifier import Judgement, Verifier
from pipelines.evidence.source_kinds import verifies
from pipelines.injection import is_tainted

_LIMIT = 6.0
"""Upper bound of the log-odds of one judgement."""
_SWAPPED_FROM = 0.7
"""Probability from which a sentence refutes that supports the statement with what it has in place of what is stated."""
_CARRIES_FROM = 0.5
"""Probability from which a sentence carries the statement read alone, without its headline."""
_FEWEST_OTHERS = 2
"""Words beside what is stated by which a sentence must be seen to be about the same."""
_DISPUTED = frozenset({ConflictKind.DISPUTED})
_BESIDE = frozenset({ConflictKind.NUMBER, ConflictKind.DISPUTED})
"""Conflicts beside which another sentence of the article must have as much of the statement to support it."""
_LEAST_OF_CONTRARY = 0.8
"""Share of the words of a sentence with another number that one which is to support beside it must have."""
_QUOTED_FROM = 0.5
"""Probability from which a further sentence of a supporting article is shown as supporting."""

PieceKey = tuple[str, int]
"""Article id, and where the piece begins in the article."""


@dataclass(frozen=True)
class ArticleEntailment:
    """One article and a statement."""

    items: tuple[Evidence, ...]
    """Its judged sentences, best first."""
    supports: Probability
    """From the log-odds of the sentence and of the piece that support most, on average; the same for `refutes`."""
    refutes: Probability

    @property
    def rank(self) -> int:
        """How many other articles were found before this one."""
        return self.items[0].rank


def article_entailments(
    verifier: Verifier, statement: str, items: Sequence[Evidence], *, max_pieces: int
) -> tuple[list[ArticleEntailment], list[Evidence]]:
    """
    Judge sentences and the pieces around them.

    :param items: Sentences with their conflicts, best first.
    :param max_pieces: Pieces to judge; sentences of further ones settle nothing.
    :returns: One entailment for each article of which a piece was judged; and the sentences of the others.
    """
    pieces = {piece_key(item): item for item in reversed(items) if item.context}
    keys = [key for key in dict.fromkeys(piece_key(item) for item in items) if key in pieces][:max_pieces]
    premises = dict.fromkeys([*map(premise, items), *(piece_premise(pieces[key]) for key in keys)])
    texts = [(statement, text) for text in premises]  # a piece of one sentence is judged once
    judgements = dict(zip(premises, verifier.judge(texts), strict=True))
    judged = _with_swaps(verifier, statement, [_judged(item, judgements[premise(item)]) for item in items])
    by_piece = {key: judgements[piece_premise(pieces[key])] for key in keys}
    by_article: dict[str, list[Evidence]] = {}
    for item in judged:
        by_article.setdefault(item.article.article_id, []).append(item)
    found, rest = [], []
    for name, sentences in by_article.items():
        own = [by_piece[key] for key in keys if key[0] == name]
        if own:
            found.append(_entailment(_read_alone(verifier, statement, sentences), own))
        else:
            rest += [mentioning(item) for item in sentences]
    return found, rest


def _read_alone(verifier: Verifier, statement: str, items: Sequence[Evidence]) -> list[Evidence]:
    """Judge the sentences that seem to support by themselves: what only the headline says, they do not carry."""
    asked = [index for index, item in enumerate(items) if item.supports >= _QUOTED_FROM]
    judgements = verifier.judge([(statement, items[index].text) for index in asked])
    alone = {index: one.supports for index, one in zip(asked, judgements, strict=True)}
    return [item.model_copy(update={"alone": alone.get(index, 0.0)}) for index, item in enumerate(items)]


def _with_swaps(verifier: Verifier, statement: str, items: Sequence[Evidence]) -> list[Evidence]:
    """
    Judge the statement with what each conflict found in place of what is stated.

    A sentence that supports it so says something else in its place. One whose claim is called false supports it as it
    is, and so refutes it.
    """
    swaps = {index: text for index, item in enumerate(items) if (text := _swap(statement, item))}
    judgements = verifier.judge([(text, premise(items[index])) for index, text in swaps.items()])
    swapped = {index: one.supports for index, one in zip(swaps, judgements, strict=True)}
    swapped |= {index: item.supports for index, item in enumerate(items) if _has(item, _DISPUTED)}
    return [
        item.model_copy(update={"swapped": swapped[index]}) if index in swapped else item
        for index, item in enumerate(items)
    ]


def refuting_by_swap(verifier: Verifier, statement: str, items: Sequence[Evidence]) -> list[Evidence]:
    """Return those of some sentences that support the statement with what they have in place of what is stated."""
    return [
        _marked(item, Relation.REFUTES, item.swapped)
        for item in _with_swaps(verifier, statement, items)
        if item.swapped >= max(_SWAPPED_FROM, verifier.thresholds.verified_from) and verifies(item.article)
    ]


def _swap(statement: str, item: Evidence) -> str:
    """
    Return the statement with what a sentence has in place of it; empty: nothing can be put in its place.

    The sentence must have most of the statement's other words: one that is worded far may be about something else.
    """
    for conflict in item.conflicts:
        if EFFECTS[conflict.kind].can_swap and _says_all_else(statement, item.text, conflict.stated):
            stated = re.compile(rf"(?<!\w){re.escape(conflict.stated)}(?!\w)", re.IGNORECASE)
            turned = stated.sub(conflict.found.replace("\\", r"\\"), statement, count=1)
            if turned != statement:
                return turned
    return ""


def _says_all_else(statement: str, sentence: str, stated: str) -> bool:
    """Say whether a sentence has most of the other words of a statement, which are some."""
    ours = analyse(statement)
    others = ours.stems - analyse(stated).stems
    return len(others) >= _FEWEST_OTHERS and says_rest(ours, analyse(sentence), beside=stated)


def rule(entailment: ArticleEntailment, thresholds: VerdictThresholds) -> list[Evidence]:
    """
    Say what an article's sentences do to the statement.

    An article supports from `verified_from` on. That it refutes depends on where it was found as well: what tells of
    another matter is easily taken to deny this one. It refutes from `refuted_from` on where plain code can point to a
    conflict (from `sure_refuted_from` on where it is sure of it), and without one from `bare_refuted_from` on. Either
    probability goes to the sentence that shows it best: to what the verifier says of it, how much of the statement it
    has is added, since the headline before it may hold the fact itself. One with a firm conflict, or any that the
    texts differ in alone, is not a quote that supports; where it is the one that supports most, another must do so by
    itself.

    :returns: The sentences, in order.
    """
    supports, refutes = entailment.supports, entailment.refutes
    if not verifies(entailment.items[0].article):
        return [mentioning(item) for item in entailment.items]
    if supports >= thresholds.verified_from and supports > refutes:
        quotable = _quotable(entailment.items)
        if quotable:
            carrying = [item for item in quotable if item.alone >= _CARRIES_FROM]
            best = max(carrying or quotable, key=lambda item: item.supports + item.score)
            return _supporting(entailment.items, best, supports)
    sure = [item for item in entailment.items if _has(item, HARD)]
    pointed = sure or [item for item in entailment.items if refuting(item.conflicts)]
    least = thresholds.bare_refuted_from
    if pointed:
        least = thresholds.sure_refuted_from if sure else thresholds.refuted_from
    refuted = thresholds.refuted(supports=supports, refutes=refutes, rank=entailment.rank)
    if least is not None and refuted >= least and refutes > supports:
        best = max(pointed or entailment.items, key=lambda item: item.refutes + item.score)
        return _refuting(entailment.items, best, refuted)
    turned = max(entailment.items, key=lambda item: item.swapped)
    if turned.swapped >= max(_SWAPPED_FROM, thresholds.verified_from):
        return _refuting(entailment.items, turned, turned.swapped)
    return [mentioning(item) for item in entailment.items]


def piece_key(item: Evidence) -> PieceKey:
    """Return which piece a sentence is from."""
    return item.article.article_id, item.context_start


def _entailment(sentences: Sequence[Evidence], pieces: Sequence[Judgement]) -> ArticleEntailment:
    supports = _together([item.supports for item in sentences], [piece.supports for piece in pieces])
    refutes = _together([item.refutes for item in sentences], [piece.refutes for piece in pieces])
    total = 1.0 + math.exp(supports) + math.exp(refutes)
    return ArticleEntailment(tuple(sentences), supports=math.exp(supports) / total, refutes=math.exp(refutes) / total)


def _together(sentences: Sequence[float], pieces: Sequence[float]) -> float:
    return (_log_odds(max(sentences)) + _log_odds(max(pieces))) / 2


def _log_odds(probability: float) -> float:
    edge = 1.0 / (1.0 + math.exp(_LIMIT))
    inside = min(max(probability, edge), 1.0 - edge)
    return math.log(inside / (1.0 - inside))


def _judged(item: Evidence, judgement: Judgement) -> Evidence:
    return item.model_copy(update={"supports": judgement.supports, "refutes": judgement.refutes})


def _quotable(items: Sequence[Evidence]) -> list[Evidence]:
    """
    Return the sentences that may stand as the quote; none where only what plain code denies supports.

    Beside one that says the contrary, another must have as much of the statement.
    """
    sure = [conflict for item in items for conflict in item.conflicts if conflict.kind is ConflictKind.NUMBER]
    contrary_too = [item.score for item in items if _has(item, _BESIDE)]
    least = max(contrary_too, default=0.0) * _LEAST_OF_CONTRARY
    quotable = [
        item
        for item in items
        if not is_firm(item.conflicts)
        and item.score >= least
        and all(_holds(one, item) for one in sure)
        and (item.alone >= _CARRIES_FROM or not any(_has(one, _DISPUTED) for one in items))
    ]
    contrary = [item.score for item in items if any(conflict.alone for conflict in item.conflicts)]
    if contrary or is_firm(max(items, key=lambda item: item.supports).conflicts):
        least = max(contrary, default=0.0)
        return [item for item in quotable if item.supports >= _QUOTED_FROM and item.score >= least]
    return quotable


def _holds(conflict: Conflict, item: Evidence) -> bool:
    """Say whether a sentence has what is stated where another sentence of its article has something else."""
    stated = analyse(conflict.stated).numbers
    return not stated or any(
        comparable(one, told) and agree(one, told) for one in stated for told in analyse(item.text).numbers
    )


def _supporting(items: Sequence[Evidence], best: Evidence, probability: float) -> list[Evidence]:
    return [
        _marked(item, Relation.SUPPORTS, probability if item is best else min(probability, item.supports))
        if item is best or (min(item.supports, item.alone) >= _QUOTED_FROM and not item.conflicts)
        else mentioning(item)
        for item in items
    ]


def _refuting(items: Sequence[Evidence], best: Evidence, probability: float) -> list[Evidence]:
    """Mark the sentence that refutes, up to the one behind it where only that calls its claim false."""
    return [
        _marked(_to_the_denial(item), Relation.REFUTES, probability) if item is best else mentioning(item)
        for item in items
    ]


def _to_the_denial(item: Evidence) -> Evidence:
    """Let a quote of a claim that the next sentence calls false end with that sentence: alone it would repeat it."""
    body = item.article.body
    denials = [one.found for one in item.conflicts if one.kind is ConflictKind.DISPUTED and one.found not in item.text]
    for start, end in sentence_spans(body):
        behind = start >= item.end and not body[item.end : start].strip()
        if behind and any(denial in body[start:end] for denial in denials) and not is_tainted(body, start, end):
            return item.model_copy(update={"end": end, "text": body[item.start : end]})
    return item


def _marked(item: Evidence, relation: Relation, score: float) -> Evidence:
    conflicts = refuting(item.conflicts) if relation is Relation.REFUTES else ()
    return item.model_copy(update={"relation": relation, "score": score, "conflicts": conflicts})


def mentioning(item: Evidence) -> Evidence:
    """Return a sentence that settles nothing."""
    neither = max(0.0, 1.0 - item.supports - item.refutes)
    return item.model_copy(update={"relation": Relation.MENTIONS, "score": neither, "conflicts": ()})


def _has(item: Evidence, kinds: frozenset[ConflictKind]) -> bool:
    return any(conflict.kind in kinds for conflict in item.conflicts)
