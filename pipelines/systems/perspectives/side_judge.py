"""Which side a text takes towards a proposition, and whether it bears on it: the models' words, weighed together."""

import math
import re
from collections.abc import Sequence

from models.embedder import OnnxEmbedder
from models.hashes import file_hash
from models.stance import HEAD, SHIPPED_STANCE, StanceHead
from pipelines.contracts.span_reader import SpanReader
from pipelines.contracts.verifier import Verifier
from pipelines.reading.windows import query_weights, sentences_of, share, word_stems
from pipelines.systems.perspectives.proposition import denied, is_yes_or_no, proposition
from pipelines.systems.perspectives.stance_words import leaning
from pipelines.systems.perspectives.stances import StanceModel, mean_yes, stance_of
from pipelines.systems.perspectives.topic import Topic
from pipelines.systems.perspectives.types import SidedText, Stance

LEAST_STANCE = 0.65
"""Probability from which a text takes a side; below, it is mixed."""
LEAST_RELEVANCE = 0.6
"""Relevance from which a text bears on a query; an article must also be about what the query is about."""
_HEAD, _WORDS, _RELATION, _RELATION_OF_NORM = 0.4, 3.0, 0.5, 0.2
"""Weights of the log-odds of the stance head, of the words that lean, and of the verifier: less on what ought to be."""
_NORM = re.compile(
    r"\b(?:should|ought|must|needs?\s+to|has\s+to|have\s+to|right\s+to|wrong\s+to|call(?:s|ed|ing)?\s+for|demand\w*|urg\w+)\b",
    re.IGNORECASE,
)
"""Says what ought to be: that something was done is no word on whether it should have been."""
_LIMIT = 4.0
"""Upper bound of log-odds."""
_READ = 3
"""Sentences of a long text that are judged."""
_FEWEST_WORDS = 4


class SideJudge:
    """
    Judge texts beside a query.

    The proposition and its denial are both put to the verifier: a text that supports the one and refutes the other
    takes a side, one that does the same to both does not. Where the proposition says what ought to be, only a text that
    does so too is put to it.

    :param verifier: Says what a text does to a statement.
    :param reader: Says what bears on the query.
    :param threads: Threads of the embedder; 0: one per core.
    :param least_stance: A text takes a side from this probability on.
    :param least_relevance: It bears on the query from this relevance on.
    """

    def __init__(
        self,
        *,
        verifier: Verifier,
        reader: SpanReader,
        threads: int = 0,
        least_stance: float = LEAST_STANCE,
        least_relevance: float = LEAST_RELEVANCE,
    ) -> None:
        self.verifier = verifier
        self.reader = reader
        self.threads = threads
        self.least_stance = least_stance
        self.least_relevance = least_relevance
        self._head: StanceModel | None = None
        self._identity: str | None = None

    @property
    def identity(self) -> str:
        """Name the stance head and the embedder that it was fitted on, for the run record."""
        if self._identity is None:
            head = f"{SHIPPED_STANCE.name}@{file_hash(SHIPPED_STANCE / HEAD)[:12]}"
            self._identity = f"{head} on {OnnxEmbedder().identity}"
        return self._identity

    def relevances(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how likely each text bears on the query."""
        return [one.relevance for one in self.reader.read([(query, text) for text in texts])]

    def yes(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how much each text says yes rather than no; of a question that yes does not answer: a half."""
        if not is_yes_or_no(query) or not texts:
            return [0.5] * len(texts)
        stated = proposition(query)
        heads = self._stance_head().probability_yes([(stated, text) for text in texts])
        relations = self._relations(stated, texts)
        trust = _RELATION_OF_NORM if _NORM.search(stated) else _RELATION
        return [
            _probability(_HEAD * _log_ratio(head, 1 - head) + trust * relation + _WORDS * leaning(text, stated))
            for head, relation, text in zip(heads, relations, texts, strict=True)
        ]

    def _relations(self, stated: str, texts: Sequence[str]) -> list[float]:
        """Return the log-odds that each text bears out the proposition, not its denial; 0 where it is not put."""
        asked = [text for text in dict.fromkeys(texts) if not _NORM.search(stated) or _NORM.search(text)]
        judged = self.verifier.judge([(claim, text) for claim in (stated, denied(stated)) for text in asked])
        found = {
            text: (_log_ratio(own.supports, own.refutes) - _log_ratio(other.supports, other.refutes)) / 2
            for text, own, other in zip(asked, judged[: len(asked)], judged[len(asked) :], strict=True)
        }
        return [found.get(text, 0.0) for text in texts]

    def stance(self, yes: float) -> Stance:
        """Name the side of a text that says yes so surely."""
        return stance_of(yes, least=self.least_stance)

    def judge_text(self, query: str, text: str) -> SidedText:
        """Judge a whole text: by the sentences of it that share most with the query."""
        sentences = closest(query, text)
        relevances = self.relevances(query, sentences)
        relevance = max(relevances, default=0.0)
        yes = mean_yes(self.yes(query, sentences))
        topic = Topic(query)
        bears = relevance >= self.least_relevance or any(map(topic.has, sentences))
        return SidedText(relevance=relevance, bears=bears, yes=yes, stance=self.stance(yes))

    def _stance_head(self) -> StanceModel:
        if self._head is None:
            # The head was fitted on the shipped embedder, whatever the index uses.
            self._head = StanceHead(OnnxEmbedder(threads=self.threads).embed)
        return self._head


def closest(query: str, text: str, *, keep: int = _READ) -> list[str]:
    """Return the sentences of a text that share most with a query, best first; a text without any is one sentence."""
    sentences = [text[start:end] for start, end in sentences_of(text)]
    told = [one for one in sentences if len(one.split()) >= _FEWEST_WORDS] or [text]
    weights = query_weights(query, told)
    return sorted(told, key=lambda one: -share(weights, word_stems(one)))[:keep]


def _log_ratio(one: float, other: float) -> float:
    edge = math.exp(-_LIMIT)
    return max(-_LIMIT, min(_LIMIT, math.log(max(one, edge) / max(other, edge))))


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
