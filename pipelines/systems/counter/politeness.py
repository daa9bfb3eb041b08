"""How polite a reply is, by plain code: no insult, no accusation, no shouting. English."""

import re

from core.words import LETTER_RUN

_INSULTS = frozenset(
    "idiot idiots idiotic stupid stupidity moron morons moronic dumb fool fools foolish liar liars lying ignorant "
    "ignorance ridiculous pathetic nonsense bullshit crap crazy insane lunatic delusional gullible brainwashed "
    "sheep troll trolls clown clowns hysterical shameful disgusting garbage rubbish hoaxer shill propaganda "
    "laughable absurd loser losers braindead imbecile dimwit clueless hypocrite hypocrites scum vermin".split()
)
_ACCUSES = re.compile(
    r"\byou(?:'re|’re| are| people are)\s+(?:\w+\s+){0,2}(?:wrong|mistaken|spreading|making|misled|confused)\b"
    r"|\b(?:shut up|wake up|grow up|get a life|do your (?:own )?research|shame on|how dare|educate yourself)\b"
    r"|\b(?:obviously|clearly) you\b|\byou (?:should be ashamed|clearly|obviously|have no idea)\b",
    re.IGNORECASE,
)
_SHOUT = re.compile(r"\b[A-Z]{5,}\b")
_COST = 0.5


def politeness(text: str, *, quoted: str = "") -> tuple[float, str]:
    """
    Return how polite a text is, 0 to 1, and why.

    :param quoted: What it quotes, and whom; words that stand there are the articles', not the reply's.
    """
    own = {word.casefold() for word in LETTER_RUN.findall(text)} - {
        word.casefold() for word in LETTER_RUN.findall(quoted)
    }
    faults = [f"it says “{word}”" for word in sorted(own & _INSULTS)]
    faults += [f"it says “{match.group()}”" for match in _ACCUSES.finditer(text)]
    shouted = [word for word in _SHOUT.findall(text) if word not in quoted]
    faults += [f"it shouts “{word}”" for word in shouted]
    if text.count("!") > quoted.count("!"):
        faults.append("it uses exclamation marks")
    value = max(0.0, 1.0 - _COST * len(faults))
    return value, f"{'; '.join(faults)[:200]}." if faults else "No insult, accusation or shouting in it."
