"""The five scores of a reply, and what it must not do whatever its scores."""

from collections.abc import Sequence

from pipelines.attribution.citations import CitedSentence, read_citations
from pipelines.attribution.grounding import word_share
from pipelines.attribution.support import Fate, SentenceCheck, check_sentence
from pipelines.contracts.evidence import Evidence
from pipelines.contracts.span_reader import SpanReader
from pipelines.contracts.verifier import Verifier
from pipelines.generation.evidence_prompt import choose_sentences
from pipelines.injection.sanitise import looks_like_instruction
from pipelines.systems.counter.courtesy import states_nothing
from pipelines.systems.counter.politeness import politeness
from pipelines.systems.counter.types import Candidate, JudgedReply, Score

REPEATS = 0.6
"""Share of the claim's content words from which a beginning repeats it."""


class Scorer:
    """
    Judge replies to one claim.

    :param claim: As it was typed.
    :param quotes: What a reply may rest on.
    :param verifier: Judges what a sentence does to the claim, and whether a quote supports a sentence.
    :param reader: Judges relevance.
    :param max_words: Longest reply.
    """

    def __init__(
        self, claim: str, quotes: Sequence[Evidence], *, verifier: Verifier, reader: SpanReader, max_words: int
    ) -> None:
        self.claim = claim
        self.quotes = quotes
        self.shown = choose_sentences(quotes, neighbours=1)
        self._quoted = " ".join(text for article in self.shown for text in map(article.text, article.sentences))
        self._sources = " ".join(f"{item.article.source} {_day(item)}" for item in quotes)
        self._known: dict[tuple[str, str], float] = {}
        self._refuting: dict[str, float] = {}
        self._max_words = max_words
        self._verifier = verifier
        self._reader = reader

    def judge(self, candidate: Candidate) -> JudgedReply:
        """Score one reply."""
        given = {article.number for article in self.shown}
        cited = read_citations(candidate.text, given=given, ours=not candidate.generator)
        checks = [self._check(sentence) for sentence in cited.sentences]
        kept = [one.sentence for one in checks if one.fate is Fate.SUPPORTED]
        text = " ".join(sentence.marked() for sentence in kept) if candidate.generator else candidate.text
        polite, why = politeness(text, quoted=f"{self._quoted} {self._sources}")
        scores = (
            self._refutation(kept),
            _factuality(checks),
            Score(name="politeness", value=polite, why=why),
            self._relevance_to_claim(text),
            _relevance_to_evidence(text, self.quotes),
        )
        return JudgedReply(
            candidate=candidate.model_copy(update={"text": text}),
            scores=scores,
            total=sum(score.value for score in scores) / len(scores),
            fault=self._fault(kept, first=cited.sentences[:1], dropped=len(cited.dropped)),
        )

    def _check(self, sentence: CitedSentence) -> SentenceCheck:
        """Check a sentence; one of courtesies and introductions is held for supported if its quotations stand."""
        check = check_sentence(sentence, self.shown, judge=self._supports)
        if check.fate is Fate.UNSUPPORTED and states_nothing(sentence.text, sources=self._sources):
            return check.model_copy(update={"fate": Fate.SUPPORTED})
        return check

    def _supports(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Judge pairs, each once however many replies hold the sentence."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        judged = self._verifier.judge(new) if new else []
        self._known.update(zip(new, (judgement.supports for judgement in judged), strict=True))
        return [self._known[pair] for pair in pairs]

    def _refutation(self, kept: Sequence[CitedSentence]) -> Score:
        texts = tuple(sentence.text for sentence in kept)
        new = [text for text in texts if text not in self._refuting]
        judged = self._verifier.judge([(self.claim, text) for text in new]) if new else []
        self._refuting.update(zip(new, (judgement.refutes for judgement in judged), strict=True))
        known = [item.refutes for item in self.quotes if _holds(texts, item)]
        value = max([*known, *(self._refuting[text] for text in texts)], default=0.0)
        why = "How sure the verifier is that a sentence of it refutes the claim."
        return Score(name="refutation", value=value, why=why)

    def _relevance_to_claim(self, text: str) -> Score:
        held = [item.relevance for item in self.quotes if _holds([text], item)]
        read = self._reader.read([(self.claim, text)])[0].relevance
        why = "How likely it, or a quote in it, bears on the claim, by the reader."
        return Score(name="relevance to claim", value=max([read, *held]), why=why)

    def _fault(self, kept: Sequence[CitedSentence], *, first: Sequence[CitedSentence], dropped: int) -> str:
        """
        Return why a reply cannot be returned whatever its scores; empty: it can.

        :param kept: Its sentences that are supported.
        :param first: Its first sentence as it was written.
        :param dropped: Citations of documents that it was not given.
        """
        words = sum(len(sentence.marked().split()) for sentence in kept)
        if not any(sentence.numbers for sentence in kept):
            return "Nothing of it is supported by a quote."
        if words > self._max_words:
            return f"It has {words} words; at most {self._max_words} are allowed."
        if dropped:
            return "It cites documents that it was not given."
        if any(word_share(self.claim, one.text) >= REPEATS and one not in kept for one in first):
            return "It begins by repeating the claim."
        if any(looks_like_instruction(sentence.text) for sentence in kept):
            return "It talks to a program instead of to a reader."
        return ""


def _day(item: Evidence) -> str:
    return f"{item.article.published_at:%B}" if item.article.published_at else ""


def _holds(texts: Sequence[str], item: Evidence) -> bool:
    return any(word_share(item.text, text) >= REPEATS for text in texts)


def _factuality(checks: Sequence[SentenceCheck]) -> Score:
    held = [one for one in checks if one.fate is Fate.SUPPORTED]
    bad = [one for one in checks if one.fate is not Fate.SUPPORTED]
    why = f"{len(held)} of {len(checks)} sentences are supported by the quotes."
    if bad:
        why += f" Left out: “{bad[0].sentence.text[:80]}”"
    return Score(name="factuality", value=len(held) / len(checks) if checks else 0.0, why=why)


def _relevance_to_evidence(text: str, quotes: Sequence[Evidence]) -> Score:
    used = [item for item in quotes if word_share(item.text, text) >= REPEATS]
    best = max((word_share(item.text, text) for item in quotes), default=0.0)
    return Score(
        name="relevance to evidence",
        value=best,
        why=f"It takes up {len(used)} of {len(quotes)} quotes; share of the best one's words that it has.",
    )
