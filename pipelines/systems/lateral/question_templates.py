"""Questions built from sentences by plain code: who says so, when, where, why, what followed, what others report."""

import re

from pipelines.conflicts.analysis import analyse
from pipelines.conflicts.lexicon import MONTHS
from pipelines.systems.lateral.clauses import clause_of, is_attributed
from pipelines.systems.lateral.entities import entities_of, is_described, named_in, organisations_of, people_of
from pipelines.systems.lateral.types import Aspect, Claim, Question

_MONTHS = "|".join(month.capitalize() for month in MONTHS)
_DATED = re.compile(rf"\b(?:{_MONTHS})\b|\b(?:19|20)\d\d\b")
_PLACED = re.compile(r"\b(?:in|at|near|from|outside)\s+(?:the\s+)?[A-Z]")
_CAUSED = re.compile(r"\b(?:because|due to|caused|to protest|in response)\b", re.IGNORECASE)
_CASUALTY = re.compile(
    r"\b(killed|injured|wounded|arrested|evacuated|infected|displaced|hospitali[sz]ed)\b", re.IGNORECASE
)
_PAST = re.compile(r"\b(?:was|were|had|did|became|won|lost|\w{3,}ed)\b")
_WEIGHT = {
    Aspect.WHO_SAYS: 0.9,
    Aspect.WHEN: 1.0,
    Aspect.HOW_MANY: 1.0,
    Aspect.ROLE: 0.8,
    Aspect.LEADS: 0.7,
    Aspect.FOUNDED: 0.5,
    Aspect.SAID: 0.7,
    Aspect.AFTER: 0.6,
    Aspect.WHERE: 0.6,
    Aspect.WHY: 0.6,
    Aspect.OTHERS: 0.5,
}


def build_questions(claims: list[Claim], *, text: str) -> list[Question]:
    """
    Build questions from sentences.

    :param claims: Most worth first.
    :param text: What they stand in.
    :returns: Best first, each text once.
    """
    people = people_of(text)
    built: dict[str, Question] = {}
    for claim in claims:
        for aspect, asked in [*_about_names(claim, people, text), *_about_clause(claim, text)]:
            score = claim.score * _WEIGHT[aspect]
            if asked not in built or built[asked].score < score:
                built[asked] = Question(text=asked, aspect=aspect, people=named_in(people, asked), score=score)
    return sorted(built.values(), key=lambda question: -question.score)


def _about_names(claim: Claim, people: list[str], text: str) -> list[tuple[Aspect, str]]:
    unknown = [person for person in named_in(people, claim.text) if not is_described(person, text)]
    found = [(Aspect.ROLE, f"What office or post does {person} hold?") for person in unknown]
    known = entities_of(claim.text)
    for organisation in organisations_of(claim.text):
        found.append((Aspect.LEADS, f"Who leads the {organisation}?"))
        found.append((Aspect.FOUNDED, f"When was the {organisation} founded?"))
    for person in named_in(people, claim.text):
        other = next((name for name in known if person not in name and name not in person), None)
        if other:
            found.append((Aspect.SAID, f"What has {person} said about {other}?"))
    if len(known) > 1:
        found.append((Aspect.OTHERS, f"What do other reports say about {known[0]} and {known[1]}?"))
    return found


def _about_clause(claim: Claim, text: str) -> list[tuple[Aspect, str]]:
    found: list[tuple[Aspect, str]] = []
    clause = clause_of(claim.text, text=text)
    if clause is None:
        return found
    was = "was" if _PAST.search(clause) else "is"
    if not _DATED.search(clause):
        found.append((Aspect.WHEN, f"When {was} it that {clause}?"))
    if not _PLACED.search(clause):
        found.append((Aspect.WHERE, f"Where {was} it that {clause}?"))
    if not _CAUSED.search(clause):
        found.append((Aspect.WHY, f"Why {was} it that {clause}?"))
    if not is_attributed(claim.text):
        found.append((Aspect.WHO_SAYS, f"Who has said that {clause}?"))
    if (hurt := _CASUALTY.search(clause)) and not analyse(clause).numbers:
        found.append((Aspect.HOW_MANY, f"How many people were {hurt.group(1).lower()} when {clause}?"))
    if was == "was":
        found.append((Aspect.AFTER, f"What happened after {clause}?"))
    return found
