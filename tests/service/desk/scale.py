"""
Measure a pass over many checks: `python -m tests.service.desk.scale --articles 20000 --checks 10000`.

Print how long a pass takes when new articles have come, and when quoted ones were corrected; how much of it is search
in the index; and how long the lists of the desk take then.

The texts differ as those of newspapers do. Each article draws its words from a vocabulary with a Zipf distribution and
from the narrower words of its subject; its length varies, and it has names, a place and a figure of its own. A check
states the figure of one article. The store's own search finds what a check has read, of as many checks as the measured
passes search; the others have read the article that they quote.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import numpy as np

from core.settings import Settings, load_settings
from core.types import Article, Relation, Request, Result, Verdict
from indexing.documents import article_documents
from service.answers.caller import Caller
from service.answers.runs import write_run
from service.desk import CheckPatch, CheckState, Desk, Reviewer
from service.desk.changes import Changes
from service.desk.recheck import Recheck
from service.state.database import FILE_NAME, Database
from tests.service.desk.evidence import Index, ReadingAsker, make_article, reference

_ADA = Reviewer("Ada")
_T = TypeVar("_T")
_BATCH = 2000
_VOCABULARY = 60_000
_ZIPF = 1.0
_SUBJECTS, _SUBJECT_WORDS = 2000, 150
_SUBJECT_SHARE = 0.35
"""Of the words of an article, those that its subject gives."""
_SENTENCE, _PARAGRAPH = (8, 30), (2, 5)
"""Fewest and most words of a sentence, and sentences of a paragraph."""
_SPREAD = 0.5
"""Of the logarithm of an article's length."""
_SEARCHED = 1500
"""Checks that the measured passes search: three times as many as one pass does."""
_REFERENCES = 5
"""Articles that an answer shows; it has read more."""
_COMMON = """
    the of to and in a said for that on was it is with at he as his by but from have has not be are an this they who had
    were will more their about up its new one after or been would when people year out there which two all if we than
    can first time other over last into no million could police government years what week some she day three city cost
    state country president down report money public work company plan month school court news home bank council
"""
"""The most frequent words of newspapers, the most frequent first."""
_ONSETS = (
    "b",
    "br",
    "c",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
)
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_CODAS = ("", "n", "r", "l", "s", "t", "nd", "ck")


class Newspaper:
    """Writes articles; the same number is always the same article."""

    def __init__(self, words: int) -> None:
        self.words = words
        rng, common = np.random.default_rng(7), _COMMON.split()
        self.vocabulary = np.array(common + _make_words(rng, _VOCABULARY - len(common)))
        weights = 1.0 / np.arange(1, _VOCABULARY + 1) ** _ZIPF
        self.cumulative = np.cumsum(weights / weights.sum())
        self.subjects = rng.integers(200, _VOCABULARY, size=(_SUBJECTS, _SUBJECT_WORDS))

    def article(self, number: int, *, correction: bool = False) -> Article:
        """Write one; a correction states another figure."""
        rng = np.random.default_rng((1, number))
        length = max(80, int(self.words * rng.lognormal(0.0, _SPREAD)))
        ranks = np.searchsorted(self.cumulative, rng.random(length))
        subject = self.subjects[int(rng.integers(_SUBJECTS))]
        told = rng.random(length) < _SUBJECT_SHARE
        ranks[told] = subject[(rng.random(int(told.sum())) ** 2 * _SUBJECT_WORDS).astype(int)]  # some far more often
        body = f"{self.claim(number, correction=correction)}\n\n{_prose(self.vocabulary[ranks].tolist(), rng)}"
        return make_article(f"story-{number}", body, headline=self.headline(number), correction=correction)

    def headline(self, number: int) -> str:
        """Return what stands above an article."""
        person, place, thing, _ = self._told(number)
        return f"{person} on the {thing} of {place}"

    def claim(self, number: int, *, correction: bool = False) -> str:
        """Return the statement that an article begins with."""
        person, place, thing, figure = self._told(number)
        return f"The {thing} of {place} will cost {figure + correction} million this year, {person} said."

    def _told(self, number: int) -> tuple[str, str, str, int]:
        rng = np.random.default_rng((2, number))
        person = " ".join(one.capitalize() for one in _make_words(rng, 2))
        place, thing = _make_words(rng, 1)[0].capitalize(), self.vocabulary[int(rng.integers(200, 5000))]
        return person, place, str(thing), int(rng.integers(2, 5000))


class TimedStore:
    """A store that counts the seconds of its searches."""

    def __init__(self, settings: Settings) -> None:
        self.index = Index(settings)
        self.store = self.index.store
        self.seconds = 0.0
        self.searches = 0
        inner = self.store.keyword_search

        def search(*given: object, **named: object) -> object:
            began = time.perf_counter()
            found = inner(*given, **named)  # type: ignore[arg-type]
            self.seconds += time.perf_counter() - began
            self.searches += 1
            return found

        self.store.keyword_search = search  # type: ignore[method-assign, assignment]

    def put(self, articles: Iterable[Article]) -> None:
        for batch in _batches(articles, _BATCH):
            with self.store.writer() as writer:
                for one in batch:
                    writer.put(one, article_documents(one))

    def reset(self) -> str:
        said = f"{self.searches} searches, {self.seconds:.2f} s of it"
        self.seconds, self.searches = 0.0, 0
        return said


def main() -> None:
    """Build index and desk, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=500, help="of an article, about")
    parser.add_argument("--checks", type=int, default=10_000)
    parser.add_argument("--corrected", type=int, default=50)
    parser.add_argument("--new", type=int, default=200, help="articles that come between two passes")
    chosen = parser.parse_args()
    paper = Newspaper(chosen.words)
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"data_dir": Path(folder)}, environment={})
        timed, database = TimedStore(settings), Database(Path(folder) / FILE_NAME)
        _say("index", lambda: timed.put(paper.article(number) for number in range(chosen.articles)))
        print(f"{timed.store.counts(by_month=False).passages} passages")
        asker = ReadingAsker(timed.store)
        _say("checks", lambda: _put_checks(database, asker, paper, chosen.checks, chosen.articles))
        print(timed.reset())

        def look() -> str:
            report = Recheck(settings, database, asker=asker, store=timed.store).run()
            counted = f"{report.by_article} by article, {report.by_new_evidence} by new evidence, {report.asked} asked"
            return f"{counted}, {report.noted} noted, {report.waiting} waiting; {timed.reset()}"

        _say("first pass", look)
        latest = range(chosen.articles, chosen.articles + chosen.new)
        timed.put(paper.article(number) for number in latest)
        _say(f"pass after {chosen.new} new articles", look)
        _say("the next one", look)
        timed.put(paper.article(number, correction=True) for number in range(chosen.corrected))
        _say(f"pass after {chosen.corrected} quoted articles were corrected", look)
        _say("open changes", lambda: f"{len(Changes(database).find(limit=50, open_only=True))} listed")
        _say("desk", lambda: f"{len(Desk(database).find(limit=50))} listed")
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _say(name: str, work: Callable[[], str | None]) -> None:
    began, used = time.perf_counter(), time.process_time()
    said = work()
    elapsed, processor = time.perf_counter() - began, time.process_time() - used
    print(f"{name}: {elapsed:.2f} s, {processor:.2f} s of processor time; {said or ''}", flush=True)


def _put_checks(database: Database, asker: ReadingAsker, paper: Newspaper, checks: int, articles: int) -> None:
    desk = Desk(database)
    pattern = asker.run("verify", Request(text=paper.claim(0)))
    for number in range(checks):
        request = Request(text=paper.claim(number % articles))
        is_read = number < _SEARCHED
        result = asker.run("verify", request) if is_read else _like(pattern, request, paper.article(number % articles))
        result = _with_support(result)
        with database.open() as connection:
            write_run(connection, result, Caller())
        check, _ = desk.add(result.run_id, who=_ADA)
        desk.change(check.check_id, CheckPatch(state=CheckState.APPROVED), who=_ADA)


def _like(pattern: Result, request: Request, article: Article) -> Result:
    """Return an answer that has read and shown one article."""
    assert pattern.run is not None
    run_id = uuid4().hex
    record = pattern.run.model_copy(update={"run_id": run_id, "request": request, "retrieved": ()})
    shown = (reference(1, article),)
    return pattern.model_copy(update={"run_id": run_id, "request": request, "run": record, "references": shown})


def _with_support(result: Result) -> Result:
    """Let the best article support the answer, as its first sentence does."""
    best, *others = result.references[:_REFERENCES]
    quotes = tuple(one.model_copy(update={"relation": Relation.SUPPORTS}) for one in best.quotes)
    references = (best.model_copy(update={"quotes": quotes}), *others)
    return result.model_copy(update={"references": references, "verdict": Verdict.VERIFIED})


def _make_words(rng: np.random.Generator, count: int) -> list[str]:
    """Make words that can be spoken, each once."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = int(rng.integers(1, 5)) if count > 2 else 3
        parts = zip(*(rng.choice(kind, syllables) for kind in (_ONSETS, _VOWELS, _CODAS)), strict=True)
        words["".join("".join(part) for part in parts)] = None
    return list(words)


def _prose(words: list[str], rng: np.random.Generator) -> str:
    waiting = iter(words)
    paragraphs: list[str] = []
    sentences: list[str] = []
    while sentence := list(islice(waiting, int(rng.integers(*_SENTENCE)))):
        sentences.append(" ".join(sentence).capitalize() + ".")
        if len(sentences) >= rng.integers(*_PARAGRAPH):
            paragraphs.append(" ".join(sentences))
            sentences = []
    return "\n\n".join([*paragraphs, " ".join(sentences)]).strip()


def _batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch


if __name__ == "__main__":
    main()
