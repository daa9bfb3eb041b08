"""Words by which a sentence is for or against what it names: approval and disapproval, denied or not. English."""

import re

from core.words import KIN_LETTERS

_FOR = tuple(
    "support back endors welcom prais defend applaud hail favour favor advocat champion justif uphold upheld "
    "benefit advantag improv necessar essential crucial vital important deserv right fair reasonabl sensibl "
    "urg encourag promot agree approv effectiv valuabl recogni accept commonplac normal".split()
)
_AGAINST = tuple(
    "oppos object reject condemn criticis criticiz denounc protest blam decried decry deplor wrong "
    "unfair unjust danger harm threat fear worr disast violat breach abus damag undermin inhuman immoral refus "
    "resist block void useless ineffectiv counterproductiv controvers shame outrag mistak catastroph discriminat "
    "oppress burden warn hurt destroy mislead disappoint unusual".split()
)
_FREEING = tuple("legaliz legalis decriminal reinstat".split())
"""Gives the thing room, whatever else is done away with for it."""
_LAWFUL = tuple("lawful legally constitutional legitimate".split())
_UNLAWFUL = tuple("unlawful illegal unconstitutional illegitimate quash overturn".split())
_ENDING = re.compile(
    r"^(?:end|lift|repeal|abolish|scrap|cancel|stop|leave|clos|ban|prohibit|outlaw|withdr[ae]w|remov|reduc|abandon|halt|"
    r"suspen[ds]|quit|revok|rescind|forbid|dissolv|dismantl|divest|boycott|eliminat|restrict|criminali|dismiss)"
    r"(?:e|es|s|d|ed|ned|ping|ping|ning|ing|n|al|als|sion|sions|ition|itions|ned|zation|sation)*$"
)
"""What does away with the thing that it is about: who likes the thing is against it."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_STRUCK_DOWN = re.compile(
    r"\b(?:struck|str[iu]k\w*)\s+(?:it\s+|that\s+)?down\b|\bbreak(?:s|ing)?\s+the\s+law\b", re.IGNORECASE
)
_STANDS_AGAINST = re.compile(
    r"\b(?:(?:vot|protest|rall|march|campaign|argu|rul|demonstrat|fight|fought|sp[eo]k)\w*|c[ao]me\s+out|is|are|was|were|be)"
    r"\s+against\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\b(?:il)?(?:legal|legitimate|lawful)\s+(?!(?:and|or|in|to|for|under|by|because|when)\b)(?=[a-z])", re.IGNORECASE
)
"""Says what a thing is, and judges no deed: "legal arguments", "illegal immigration"."""
_DENIES = frozenset("not no never nor neither cannot nobody nothing hardly barely".split())
_REACH = 3
"""Words before one that may deny it."""
_NO_JUDGEMENT = frozenset("legally rights background illegally effectively protester protesters fairly".split())
_DEMANDS = re.compile(
    r"\b(?:told|ask(?:s|ed|ing)?|urg\w+|demand\w*|call(?:s|ed|ing)?\s+(?:for|on)|want\w*|vow\w*|pledg\w*|promis\w*|vot\w+|"
    r"sign(?:s|ed)|pass(?:es|ed)|propos\w+|plan(?:s|ned)|decid\w+|order(?:s|ed)|will|must|should)\b",
    re.IGNORECASE,
)
"""Says that somebody wants a thing done; that it was done is no word for it."""
_PAST_DEED = re.compile(
    r"\bhave\s+(?:been\s+)?\w+|\b(?:was|were)\s+(?:it\s+)?(?:not\s+)?(?:right|wrong)\b", re.IGNORECASE
)
_NEAR = 6
"""Words from an ending to what is ended."""
_MOST = 3


def leaning(sentence: str, proposition: str) -> float:
    """
    Say which way the words of a sentence lean towards a proposition.

    Approval of what the proposition would do away with is disapproval of the proposition; who opposes a ban approves of
    what it bans. What is called unlawful is a deed, and so is what should have been done: both are the proposition
    itself.

    >>> leaning("The minister opposed the return of wolves.", "Wolves should return.") < 0
    True
    >>> leaning("A court struck down the ban on zoos.", "Zoos should be banned.") < 0
    True

    :returns: -1 to 1, above 0 for; 0 where no word leans.
    """
    said = _STANDS_AGAINST.sub("opposes", _STRUCK_DOWN.sub("overturned", _OF_ANOTHER.sub("", sentence)))
    words = [match.group().lower().replace("’", "'") for match in _WORD.finditer(said)]
    judging = sum(_ways(words, _FOR, _AGAINST))
    legal = 2 * sum(_ways(words, _LAWFUL, _UNLAWFUL)) + 2 * words.count("legal")
    if _PAST_DEED.search(proposition):
        return _bounded(judging + legal)
    stated = [match.group().lower() for match in _WORD.finditer(proposition)]
    ends, would_end = _ends(words, {one[:KIN_LETTERS] for one in stated}), _ends(stated)
    total = judging + legal
    if ends:
        total = -total if total else -bool(_DEMANDS.search(sentence))
    elif would_end:
        total = judging - legal
    total += 2 * sum(_ways(words, _FREEING, ()))
    return _bounded(-total if would_end else total)


def _bounded(total: int) -> float:
    return max(-_MOST, min(_MOST, total)) / _MOST


def _ways(words: list[str], approving: tuple[str, ...], disapproving: tuple[str, ...]) -> list[int]:
    """Return 1 for each word that approves, -1 for each that disapproves; one that is denied counts the other way."""
    found = []
    for place, word in enumerate(words):
        way = (word.startswith(approving) - word.startswith(disapproving)) if word not in _NO_JUDGEMENT else 0
        if way:
            before = words[max(0, place - _REACH) : place]
            found.append(-way if any(one in _DENIES or one.endswith("n't") for one in before) else way)
    return found


def _ends(words: list[str], matter: set[str] | None = None) -> bool:
    """
    Say whether words name an ending, near what it ends.

    :param matter: Beginnings of what may be ended; None: anything.
    """
    for place, word in enumerate(words):
        if _ENDING.match(word):
            near = words[max(0, place - _NEAR) : place + _NEAR + 1]
            if matter is None or any(one[:KIN_LETTERS] in matter for one in near if len(one) >= KIN_LETTERS):
                return True
    return False
