"""Keep of a model's answer what the articles support; make its sources the evidence."""

from collections import Counter
from collections.abc import Sequence

from haystack import component

from core.counting import counted
from core.types import Article, Notice, QueryKind, Relation
from models.calibration import UNCALIBRATED, Calibration
from pipelines.attribution.citations import CitedSentence, CitedText, read_citations
from pipelines.attribution.grounding import says_span
from pipelines.attribution.quoted_answer import EXTRACTIVE, quoted_answer
from pipelines.attribution.refusals import declines
from pipelines.attribution.support import Fate, SentenceCheck, check_sentence
from pipelines.contracts.evidence import RAW, Draft, Evidence, ShownArticle, number_articles
from pipelines.contracts.span_reader import SpanReader
from pipelines.contracts.verifier import Verifier
from pipelines.reading.answer_features import answer_features, candidate

SEED = "seed"
MAX_SOURCES = 2
"""Quotes per answer sentence."""

_MESSAGES = {
    Fate.UNSUPPORTED: ("sentence_dropped", "{} of the model left out: supported by no article."),
    Fate.UNGROUNDED: ("sentence_dropped", "{} of the model left out: with numbers or names that no source has."),
    Fate.FALSE_QUOTE: ("quote_invented", "{} of the model left out: quoting what no cited article says."),
    Fate.NO_STATEMENT: ("sentence_dropped", "{} of the model left out: stating nothing."),
}


@component
class SupportChecker:
    """
    Check a model's answer sentence by sentence; an answer written by plain code passes as it is.

    >>> checker = SupportChecker(verifier=verifier, reader=model, calibration=calibration)
    >>> draft = Draft(text="Its repairs cost 48 million crowns Doc[1].", generator="extractive")
    >>> checker.run("What did it cost?", QueryKind.QUESTION, draft, evidence)["draft"] == draft
    True

    :param verifier: Judges whether a source bears out a sentence.
    :param reader: Judges whether a sentence answers the question.
    :param calibration: What the scores of `reader` are worth.
    :param answer_calibration: What the answers of the pipeline's own reader are worth.
    :param answer_threshold: Probability, by the reader, from which a sentence counts as answering the question; None:
        as the calibration says.
    """

    def __init__(
        self,
        *,
        verifier: Verifier,
        reader: SpanReader,
        calibration: Calibration = UNCALIBRATED,
        answer_calibration: Calibration = UNCALIBRATED,
        answer_threshold: float | None = None,
    ) -> None:
        self.verifier = verifier
        self.reader = reader
        self.calibration = calibration
        self.answer_calibration = answer_calibration
        self.answer_threshold = answer_threshold

    @component.output_types(draft=Draft, evidence=list[Evidence], checks=list[SentenceCheck])
    def run(
        self, query: str, kind: QueryKind, draft: Draft, evidence: list[Evidence], style: str | None = None
    ) -> dict[str, object]:
        """
        Check a draft.

        :param evidence: What the draft was written from.
        :param style: seed: sentences are kept whatever supports them.
        :returns: `draft` with the sentences that hold, cited in the numbers of the new `evidence`, which begins with
            what supports them; `checks`, one a sentence.
        """
        if draft.mode is None:
            return {"draft": draft, "evidence": evidence, "checks": []}
        cited = read_citations(draft.text, given={article.number for article in draft.shown})
        notices = [*draft.warnings, *_citation_notices(cited, draft)]
        if all(declines(sentence.text) for sentence in cited.sentences):
            notices.append(Notice(code="model_declined", message="The model found no answer in what it was shown."))
            if style == SEED:  # it reads citations as the model's: none of ours may stand in the place of a refusal
                return self._pass(draft, "", evidence, notices)
            return self._articles_own(kind, draft, evidence, notices, [])
        if style == SEED or draft.mode == RAW:
            return self._pass(draft, cited.marked(), evidence, notices)
        said = dict.fromkeys(cited.sentences)  # a model that repeats itself is judged, and shown, once
        checks = [check_sentence(sentence, draft.shown, judge=self._judge, query=query) for sentence in said]
        notices += _fate_notices(checks)
        kept = [check for check in checks if check.fate is Fate.SUPPORTED]
        answers: float | None = None
        if kept and kind is QueryKind.QUESTION:
            answers = self._answers(query, kept, draft.shown, evidence)
            if notice := self._beside(answers, evidence):
                notices.append(notice)
                kept = []
        if not kept:
            message = "Nothing of the model's answer was kept; the articles' own words stand instead."
            notices.append(Notice(code="answer_refused", message=message))
            return self._articles_own(kind, draft, evidence, notices, checks)
        ordered = _sources_first(kept, draft.shown, evidence, answers)
        text = _marked(kept, draft.shown, number_articles(ordered))
        done = draft.model_copy(update={"text": text, "warnings": tuple(notices)})
        return {"draft": done, "evidence": ordered, "checks": checks}

    def _pass(self, draft: Draft, text: str, evidence: list[Evidence], notices: list[Notice]) -> dict[str, object]:
        done = draft.model_copy(update={"text": text, "warnings": tuple(notices)})
        return {"draft": done, "evidence": evidence, "checks": []}

    def _articles_own(
        self,
        kind: QueryKind,
        draft: Draft,
        evidence: list[Evidence],
        notices: list[Notice],
        checks: list[SentenceCheck],
    ) -> dict[str, object]:
        """Answer as without a model: whether that is shown depends on the evidence alone."""
        update = {
            "text": quoted_answer(kind, evidence),
            "generator": EXTRACTIVE,
            "mode": None,
            "warnings": tuple(notices),
        }
        return {"draft": draft.model_copy(update=update), "evidence": evidence, "checks": checks}

    def _beside(self, answers: float, evidence: list[Evidence]) -> Notice | None:
        """Say why a supported answer is not shown: it answers something else, or the articles' own is likelier."""
        if answers < self._threshold():
            return Notice(code="answer_beside_question", message="The model's answer is not about the question.")
        if answers < max((item.score for item in evidence), default=0.0):
            message = "The model's answer is less likely to be right than one that the articles give."
            return Notice(code="answer_less_likely", message=message)
        return None

    def _judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [judgement.supports for judgement in self.verifier.judge(pairs)]

    def _threshold(self) -> float:
        chosen = self.answer_threshold
        return self.answer_calibration.answer.shown_from if chosen is None else chosen

    def _answers(
        self, query: str, kept: list[SentenceCheck], shown: Sequence[ShownArticle], evidence: list[Evidence]
    ) -> float:
        """
        Return how likely the sentences answer the question, by a span of the evidence or of their sources.

        What a sentence says by itself is not evidence: one that repeats the question would be sure to answer it.
        """
        best = max(_span_scores(kept, shown, evidence), default=0.0)
        rival = max((item.score for item in evidence), default=0.0)
        if best >= max(self._threshold(), rival):
            return best
        articles = {article.number: article.article for article in shown}
        pairs = [
            (check, articles[number].headline, articles[number].body[start:end])
            for check in kept
            for number, start, end in check.sources[:MAX_SOURCES]
        ]
        readings = self.reader.read([(query, text) for _, _, text in pairs])
        for (check, headline, text), reading in zip(pairs, readings, strict=True):
            found = candidate(text, headline, reading, rank=0)
            if found.span and says_span(check.sentence.text, found.span):
                best = max(best, self.calibration.answer_probability(answer_features(query, found)))
        return best


def _citation_notices(cited: CitedText, draft: Draft) -> list[Notice]:
    notices = []
    if cited.dropped:
        message = f"{counted(len(cited.dropped), 'citation')} removed: no such document was given."
        notices.append(Notice(code="citation_dropped", message=message))
    uncited = sum(not declines(sentence.text) for sentence in cited.uncited())
    if uncited and draft.mode == "references":
        message = f"{counted(uncited, 'sentence')} of the model without citation: what supports it was looked for."
        notices.append(Notice(code="sentence_uncited", message=message))
    return notices


def _fate_notices(checks: list[SentenceCheck]) -> list[Notice]:
    fates = Counter(check.fate for check in checks)
    notices = []
    for fate, (code, template) in _MESSAGES.items():
        if fates[fate]:
            notices.append(Notice(code=code, message=template.format(counted(fates[fate], "sentence"))))
    return notices


def _span_scores(kept: list[SentenceCheck], shown: Sequence[ShownArticle], evidence: list[Evidence]) -> list[float]:
    """Return the probabilities of the spans that sentences hold: of their own sources, where these have any."""
    names = {article.number: article.article.article_id for article in shown}
    own: list[float] = []
    others: list[float] = []
    for check in kept:
        sources = {names[number] for number in check.numbers}
        for item in evidence:
            if says_span(check.sentence.text, item.answer):
                (own if item.article.article_id in sources else others).append(item.score)
    return own or others


def _sources_first(
    kept: list[SentenceCheck], shown: Sequence[ShownArticle], evidence: list[Evidence], answers: float | None
) -> list[Evidence]:
    """
    Put what supports the answer first, then the rest of the evidence in its order.

    :param answers: How likely the answer answers the question; None: the query is a statement, whose evidence keeps
        what the verifier made of it.
    """
    articles = {article.number: article.article for article in shown}
    first: list[Evidence] = []
    for check in kept:
        for number, start, end in check.sources[:MAX_SOURCES]:
            source = _evidence(articles[number], start, end, evidence)
            if answers is not None:
                source = source.model_copy(update={"relation": Relation.SUPPORTS, "score": answers})
            if not any(_same(item, source.article.article_id, source.start, source.end) for item in first):
                first.append(source)
    rest = [
        item for item in evidence if not any(_same(one, item.article.article_id, item.start, item.end) for one in first)
    ]
    return first + rest


def _evidence(article: Article, start: int, end: int, evidence: list[Evidence]) -> Evidence:
    """Return the evidence that was picked there, or make one that only mentions."""
    picked = next((item for item in evidence if _same(item, article.article_id, start, end)), None)
    return picked or Evidence(
        article=article, start=start, end=end, text=article.body[start:end], relevance=0.5, score=0.0
    )


def _same(item: Evidence, article_id: str, start: int, end: int) -> bool:
    return item.article.article_id == article_id and item.start < end and start < item.end


def _marked(kept: list[SentenceCheck], shown: Sequence[ShownArticle], numbers: dict[str, int]) -> str:
    """Write the kept sentences with the numbers that their sources have now."""
    now = {
        article.number: numbers[article.article.article_id]
        for article in shown
        if article.article.article_id in numbers
    }
    sentences = []
    for check in kept:
        cited = tuple(sorted({now[number] for number, _, _ in check.sources[:MAX_SOURCES] if number in now}))
        sentences.append(CitedSentence(text=check.sentence.text, numbers=cited).marked())
    return " ".join(sentences)
