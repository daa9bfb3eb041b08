"""A statement asked about in the order of a question: "Why was the library closed?". English."""

import re
from functools import cache

from pipelines.claims.clauses import subject_span
from pipelines.claims.verbs import BE, HAVE, MODALS, finite_verbs, is_participle, verb_forms
from pipelines.claims.wording import told_names
from pipelines.conflicts.names.places import is_place

MOST_WORDS = 24
_NO_SIMPLE_CLAUSE = re.compile(
    r"[,;:–—\"“”()\[\]]|\b(?:that|which|who|whose|because|although|while|if|whether|than)\b", re.IGNORECASE
)
_NO_SUBJECT = frozenset(
    "he she it they we i you this that these those there here nobody nothing none no both all some one what who each "
    "any his her its their our my".split()
)
_DETERMINERS = frozenset("a an the another every several many most two three four five".split())
_ADVERBS = re.compile(r"^(?:not|also|already|still|now|later|then|finally|recently|\w+ly)$", re.IGNORECASE)
_TIMED = re.compile(
    r"\b(?:since|until|for|after|before|when|during|later|earlier|ago|day|days|week|weeks|month|months|years?|hours?|"
    r"minutes?|times?|once|twice|morning|evening|night|daily|annually|per|first|last|next|always|never|often|then|thereafter|afterwards|subsequently|shortly)\b|\d{4}",
    re.IGNORECASE,
)
_BORN = re.compile(r"\b(?:born|survived|named|called|located|situated|based|known|aged)\b", re.IGNORECASE)


class Clause:
    """
    Hold a simple clause: one subject, one verb, no clause inside.

    :param subject: As it stands inside a sentence.
    :param verb: Its finite verb, in lower case.
    :param rest: What follows.
    """

    def __init__(self, subject: str, verb: str, rest: str) -> None:
        self.subject, self.verb, self.rest = subject, verb, rest

    @property
    def is_event(self) -> bool:
        """Whether it tells what happened: a verb in the past, or a passive."""
        return self.verb not in HAVE | MODALS and (
            self._is_passive if self.verb in BE else _past_bases().get(self.verb) is not None
        )

    @property
    def is_past(self) -> bool:
        """Whether it is told as past."""
        return self.verb in {"was", "were"} or self.verb in _past_bases()

    @property
    def base(self) -> str:
        """The base form of the verb; of an auxiliary, the auxiliary."""
        if self.verb in HAVE:
            words = [word.lower() for word in self.rest.split() if not _ADVERBS.match(word)]
            return _past_bases().get(words[0], words[0]) if words else "have"
        return _past_bases().get(self.verb) or _third_bases().get(self.verb) or self.verb

    @property
    def has_cause(self) -> bool:
        """Whether one can ask why: not of what something simply is, or is called."""
        is_still = self.verb in HAVE and re.match(r"(?:not\s+)?been\s+(?!\w+(?:ed|en|wn|ht|lt|de|ut)\b)", self.rest)
        return (self.verb not in BE or self._is_passive) and not is_still and not _BORN.search(self.rest)

    @property
    def is_timed(self) -> bool:
        """Whether it says something of the time."""
        return _TIMED.search(f"{self.subject} {self.rest}") is not None

    @property
    def _is_passive(self) -> bool:
        words = [word.lower() for word in self.rest.split()]
        first = next((word for word in words if not _ADVERBS.match(word)), "")
        return first != "been" and is_participle(first)

    def asked(self, word: str) -> str:
        """Return the question that begins with a word; empty: the verb's base form is not known."""
        if self.verb in BE | HAVE | MODALS:
            return f"{word} {self.verb} {self.subject} {self.rest}?"
        if base := _past_bases().get(self.verb):
            return f"{word} did {self.subject} {base} {self.rest}?".replace(" ?", "?")
        if base := _third_bases().get(self.verb):
            return f"{word} does {self.subject} {base} {self.rest}?".replace(" ?", "?")
        return ""


def clause_of(statement: str, *, text: str = "") -> Clause | None:
    """
    Take a statement apart.

    :param text: What it stands in: a word that is written small there is no name.
    :returns: None where it is not simple, or it is not clear what its subject is.
    """
    sentence = " ".join(statement.split()).rstrip(".!")
    if len(sentence.split()) > MOST_WORDS or _NO_SIMPLE_CLAUSE.search(sentence):
        return None
    span = subject_span(sentence)
    if span is None or span[0] != 0:
        return None
    subject, behind = sentence[: span[1]], sentence[span[1] :].strip()
    verbs = finite_verbs(f"x {behind}")
    if not verbs or verbs[0].start != 2 or not verbs[0].is_sure:  # noqa: PLR2004 - right behind the subject
        return None
    word, _, rest = behind.partition(" ")
    if word.lower().endswith("n't") or _has_another_verb(rest, verbs[0].word):
        return None
    inside = _inside(subject, sentence, text)
    return Clause(inside, word.lower(), rest) if inside else None


def _has_another_verb(rest: str, verb: str) -> bool:
    """Say whether a further clause follows; the participle of the verb is none."""
    others = [one for one in finite_verbs(f"x {rest}") if one.is_sure]
    if verb in BE | HAVE | MODALS:
        words = rest.split()
        skipped = 0
        while skipped < len(words) and (
            _ADVERBS.match(words[skipped]) or words[skipped].lower() in {"been", "be", "have"}
        ):
            skipped += 1
        begins = len(" ".join(["x", *words[:skipped]])) + 1
        others = [one for one in others if one.start > begins or not is_participle(one.word)]
        others = [one for one in others if one.word not in {"been", "be", "have"} or one.start > begins]
    return bool(others) or bool(re.search(r"\s(?:and|but|or)\s+(?:then\s+|also\s+)?\w+ed\b", f" {rest}"))


def _inside(subject: str, sentence: str, text: str) -> str:
    """Return a subject as it is written inside a sentence; empty: it is a pronoun, or may be a name or not."""
    first, _, others = subject.partition(" ")
    low = first.lower()
    if low in _NO_SUBJECT or (others and finite_verbs(others) and any(one.is_sure for one in finite_verbs(others))):
        return ""
    if low in _DETERMINERS:
        return f"{low} {others}".strip()
    name = next((name.text for name in told_names(sentence) if name.start == 0), "")
    if " " in name or not first[:1].isupper() or first.isupper():
        return subject
    if re.search(rf"(?<![\w-]){re.escape(low)}(?![\w-])", text):
        return f"{low} {others}".strip()
    is_name = is_place(first) or re.search(rf"[a-z,]\s+{re.escape(first)}\b", text)
    return subject if name and is_name else ""


@cache
def _past_bases() -> dict[str, str]:
    """Return past form to base; a form of two verbs has none."""
    forms = verb_forms()
    found: dict[str, str] = {}
    double: set[str] = set()
    for base in sorted(forms.bases):
        past = forms.past_of(base)
        if past in found:
            double.add(past)
        found[past] = base
    return {past: base for past, base in found.items() if past not in double and past != base}


@cache
def _third_bases() -> dict[str, str]:
    forms = verb_forms()
    return {forms.third_of(base): base for base in sorted(forms.bases)}
