"""
Statements set in a clause that makes them true, makes them false or leaves them open.

"Acme bought Baltair" follows from "Acme managed to buy Baltair", is denied by "Acme was prevented from buying Baltair"
and left open by "Acme offered to buy Baltair", in nearly the same words. What the embedding verb does is its signature
(Karttunen 1971, "Implicative verbs"; Nairn, Condoravdi, Karttunen 2006, "Computing relative polarity for textual
inference").
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.sentences import sentence_spans
from training.data.clauses import Clause, parse_clause
from training.data.examples import NEITHER, REFUTES, SUPPORTS, Example, Group
from training.data.packs import read_pack

TRUE = (
    "{subject} managed to {base}",
    "{subject} went on to {base}",
    "{subject} succeeded in {gerund}",
    "{subject} did {base}",
    "{subject} was able to {base} at last",
    "{subject} was forced to {base}",
    "{subject} did not hesitate to {base}",
    "It was confirmed that {subject} {past}",
    "Few had expected it, but {subject} {past}",
    "Nobody could prevent {subject} from {gerund}",
    "After {subject} {past}, others followed",
    "Officials acknowledged that {subject} had {participle}",
    "{subject} has now {participle}",
    "Having {participle}, {subject} made no further comment",
)
FALSE = (
    "{subject} failed to {base}",
    "{subject} refused to {base}",
    "{subject} declined to {base}",
    "{subject} was prevented from {gerund}",
    "{subject} was barred from {gerund}",
    "{subject} was unable to {base}",
    "{subject} did not {base}",
    "{subject} never {past}",
    "{subject} decided against {gerund}",
    "{subject} stopped short of {gerund}",
    "{subject} dropped a plan to {base}",
    "{subject} came close to {gerund}, but in the end did not",
    "A court stopped {subject} from {gerund}",
    "Talks fell apart before {subject} could {base}",
    "It is not true that {subject} {past}",
    "Reports that {subject} {past} turned out to be false",
    "{subject} would have {participle} if the vote had gone the other way",
    "The plan for {subject} to {base} was cancelled",
)
OPEN = (
    "{subject} may {base}",
    "{subject} plans to {base}",
    "{subject} was expected to {base}",
    "{subject} considered {gerund}",
    "{subject} promised to {base}",
    "{subject} offered to {base}",
    "{subject} threatened to {base}",
    "{subject} was asked to {base}",
    "{subject} was accused of {gerund}",
    "{subject} is to decide whether to {base}",
    "It is not known whether {subject} {past}",
    "Rumours that {subject} {past} could not be confirmed",
    "Critics want {subject} to {base}",
    "Analysts doubted that {subject} would {base}",
)
_ALONE = 0.5
"""Share of clauses that stand alone; the others stand among sentences of another passage."""
DENIALS = (
    "{subject} did not {base}",
    "{subject} never {past}",
    "{subject} failed to {base}",
    "{subject} refused to {base}",
)
"""Statements that are false of a passage where the statement itself is true of it."""


def context_groups(
    root: Path, packs: Sequence[str], *, splits: Sequence[str] = ("train",), share: float = 1.0
) -> list[Group]:
    """
    Set statements that can be taken apart into clauses of each kind, alone or among sentences of another passage.

    :param packs: Of `news_pairs`: rows with `passage`, `statements` and perhaps a `mirror`.
    :param splits: Parts of the packs to read.
    :param share: Share (0 to 1) of such statements that are used.
    :returns: For each statement a group under a true and a false clause, which are each other's mirror; one under an
        open clause; and its denial before the real passage, and before the mirror where that turns the statement.
    """
    chance = random.Random("contexts")
    groups: list[Group] = []
    rows = [row for name in packs for row in read_pack(root, name) if row["split"] in splits]
    for row in rows:
        other = chance.choice(rows)["passage"]
        around = [other[start:end] for start, end in sentence_spans(other)]
        for statement in row["statements"]:
            clause = parse_clause(statement["text"])
            if clause is not None and chance.random() < share:
                groups += _contexts(statement["text"], clause, around, chance)
                groups += _denials(clause, statement, row, chance)
    return groups


def _contexts(statement: str, clause: Clause, around: Sequence[str], chance: random.Random) -> Iterator[Group]:
    def example(templates: Sequence[str], relation: int) -> Example:
        passage = _among(clause.put_into(chance.choice(templates)), around, chance)
        return Example(statement, passage, relation=relation, relevant=None if relation == NEITHER else True)

    yield Group((example(TRUE, SUPPORTS), example(FALSE, REFUTES)))
    yield Group((example(OPEN, NEITHER),))


def _denials(clause: Clause, statement: dict[str, str], row: dict[str, str], chance: random.Random) -> Iterator[Group]:
    """Yield the statement's denial before the passages that say something of it."""
    turned = {"supports": REFUTES, "refutes": SUPPORTS}
    denial = clause.put_into(chance.choice(DENIALS))
    told = ((row["passage"], statement["label"]), (row.get("mirror"), statement.get("mirror_label")))
    examples = tuple(
        Example(denial, passage, relation=turned[label], relevant=True)
        for passage, label in told
        if passage is not None and label in turned
    )
    if examples:
        yield Group(examples)


def _among(sentence: str, around: Sequence[str], chance: random.Random) -> str:
    """Set a sentence alone, or between one to three sentences of another passage."""
    if not around or chance.random() < _ALONE:
        return sentence
    count = min(len(around), chance.randint(1, 3))
    at = chance.randint(0, len(around) - count)
    before = chance.randint(0, count)
    return " ".join((*around[at : at + before], sentence, *around[at + before : at + count]))
