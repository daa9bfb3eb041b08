"""
The words of Looksy (docs/architecture.md) as frozen models that forbid unknown fields.

Character offsets are half-open, count Unicode code points, and refer to `Article.body`. Times are UTC.
"""

import datetime
from datetime import UTC
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

MAX_QUERY_CHARS = 2000
"""Of a question or statement."""
MAX_TEXT_CHARS = 20_000
"""Of a text that a system takes which reads longer ones."""

UtcTime = Annotated[AwareDatetime, AfterValidator(lambda time: time.astimezone(UTC))]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class Model(BaseModel):
    """Base of everything that crosses a folder border."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")


class Article(Model):
    """One crawled news story."""

    article_id: str
    """Stable: a hash of the canonical URL, see `core.urls.article_id`."""
    url: str
    """Where the story can be opened."""
    headline: str = Field(min_length=1)
    body: str = Field(min_length=1)
    """Plain text in Unicode NFC, paragraphs separated by one blank line."""
    published_at: UtcTime | None = None
    """None: the page does not say. Midnight UTC where only the day is known."""
    modified_at: UtcTime | None = None
    first_seen_at: UtcTime
    """When this revision first came to us; an imported article that does not say takes its publication time."""
    source: str
    """Name of the publisher."""
    section: str | None = None
    authors: tuple[str, ...] = ()
    language: str | None = None
    """ISO 639-1 code."""
    agency: str | None = None
    """The wire service that is credited: Reuters, AP, AFP, ..."""
    origin_id: str | None = None
    """Shared by copies of one text; None until grouped: the article is its own origin."""
    revision: int = Field(default=1, ge=1)
    content_hash: str
    """SHA-256 over headline and body, see `core.urls.content_hash`."""
    correction: bool = False
    """This revision carries a correction notice."""
    gone_at: UtcTime | None = None
    """When the page was first found to be gone (404 or 410)."""
    external_id: str | None = None
    """The article's name in the collection that it came from."""
    raw_ref: str | None = None
    """Where the page as it was served is kept: file and offset in the WARC archive."""


class Passage(Model):
    """A sentence-aligned piece of an article's body: the unit that is indexed."""

    passage_id: str
    """`<article_id>-<revision>-<position>`."""
    article_id: str
    position: int = Field(ge=0)
    """0 for the first passage of the article."""
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    text: str = Field(min_length=1)
    """`body[start:end]`, to the letter."""


class QueryKind(StrEnum):
    """What a query is."""

    QUESTION = "question"
    STATEMENT = "statement"


class Relation(StrEnum):
    """What a quote does to a query."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    MENTIONS = "mentions"


class Verdict(StrEnum):
    """What the checked evidence says. For a question, verified means: answered, and the answer is supported."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    CONFLICTING = "conflicting"
    UNVERIFIED = "unverified"


class Status(StrEnum):
    """Whether there is a result at all. A failure is never a verdict."""

    OK = "ok"
    NO_EVIDENCE = "no_evidence"
    FAILED = "failed"


class Filters(Model):
    """Which articles may be evidence. Everything None or empty: all of them."""

    published_from: UtcTime | None = None
    published_to: UtcTime | None = None
    sources: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    excluded_origins: tuple[str, ...] = ()
    """Texts that are never evidence, in whatever copy: the newsroom's own report of a check."""


class Request(Model):
    """What a user asks a system for. `core.requests.parse_request` makes one from untrusted input."""

    text: str = Field(min_length=1, max_length=MAX_TEXT_CHARS)
    """Each system says how long it may be, see `SystemInfo.max_chars`."""
    kind: QueryKind | None = None
    """None: detected from the text."""
    as_of: UtcTime | None = None
    """Only what was published and first seen by then is evidence. None: everything."""
    filters: Filters = Filters()
    top_k: int | None = Field(default=None, ge=1, le=100)
    """Passages to read. None: as the settings say."""
    blind: bool = False
    """Show no earlier fact-checks beside the answer."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of one system (mode, style, retriever, ...); each system checks its own and refuses others."""


class Digest(Model):
    """What the reader found in one passage for one query."""

    passage_id: str
    article_id: str
    start: int
    """Of the answer span in the article's body; `start == end` where there is no span."""
    end: int
    span: str
    score: float
    """Of the span against "no answer here": best span logit minus the no-answer logit."""
    probability: Probability
    """That the span answers the query; calibrated."""
    no_answer_probability: Probability
    sentence_start: int
    sentence_end: int
    sentence: str
    """The sentence that holds the span, `body[sentence_start:sentence_end]`."""
    context: str
    """The passage."""
    relevance: Probability
    """That the passage bears on the query."""


class Quote(Model):
    """Evidence: a verbatim piece of an article, and what it does to the query."""

    text: str
    start: int
    end: int
    relation: Relation
    score: Probability
    """How sure the verifier is of the relation."""
    content_hash: str
    """Of the article revision that the quote stands in."""
    link: str
    """Opens the article at the quote (`#:~:text=`)."""


class Reference(Model):
    """One cited article with the quotes taken from it."""

    number: int = Field(ge=1)
    """n in Doc[n]."""
    article_id: str
    revision: int
    url: str
    headline: str
    published_at: UtcTime | None
    source: str
    section: str | None = None
    origin_id: str
    """Copies of one text share it, so that origins can be counted."""
    quotes: tuple[Quote, ...]


class ShownConflict(Model):
    """What a statement and a quote that refutes it say differently."""

    kind: str
    """number, date, name, namesake, quotation, negation, antonym, ordinal, roles, exchange, day or disputed."""
    stated: str
    """In the statement."""
    found: str
    """In the quote."""
    number: int | None = None
    """n in Doc[n], the article of the quote."""


class Notice(Model):
    """Something that the reader of a result should know."""

    code: str
    """Stable, for machines: citation_dropped, generator_fallback, ..."""
    message: str


class Failure(Model):
    """Why there is no result."""

    code: str
    message: str
    field: str | None = None
    hint: str | None = None


class Confidence(Model):
    """How likely the verdict is right."""

    value: Probability
    method: str
    """Name and version of the calibration."""


class Section(Model):
    """
    A part of a structured answer, for systems whose answer has parts.

    Sections of one kind belong together and are shown in order. `text` and `lines` may cite references as Doc[n].
    """

    kind: str = Field(min_length=1)
    """What the part is, in one word: question, round, side, score, source, ..."""
    title: str = Field(min_length=1)
    label: str | None = None
    """What it came to, in a word or two: answered, yes, mixed, ...; None: nothing to say."""
    text: str = ""
    lines: tuple[str, ...] = ()
    """Further sentences, one a line: quotes, reasons."""
    numbers: tuple[int, ...] = ()
    """References that it rests on, ascending."""
    scores: dict[str, float] = Field(default_factory=dict)
    """Name to value; 0 to 1 unless the name says otherwise."""


class Searched(Model):
    """What the answer could have been found in: the index's coverage, and the searches that were tried."""

    queries: tuple[str, ...]
    articles: int
    passages: int
    sources: tuple[str, ...]
    first_published_at: UtcTime | None = None
    last_published_at: UtcTime | None = None
    snapshot_id: str
    """Of the index; empty: another search engine was asked instead."""


class FactCheckMatch(Model):
    """A published fact-check that a text may be about. It is not evidence."""

    id: str
    score: Probability
    """That both are about one claim; calibrated."""
    claim: str
    url: str
    publisher: str
    date: datetime.date | None
    """When it was published."""
    verdict: str
    """In the publisher's words."""


class Result(Model):
    """The answer of a system to a request; the one object behind JSON, Markdown and the web page."""

    system: str
    request: Request
    kind: QueryKind
    status: Status
    verdict: Verdict | None
    """None when the status is failed, and of systems that judge nothing."""
    answer: str
    """One or two cited sentences, or the refusal; empty when failed."""
    sections: tuple[Section, ...] = ()
    """The parts of an answer that has parts; of verify, the sentences or questions of a query that has several."""
    confidence: Confidence | None = None
    references: tuple[Reference, ...] = ()
    conflicts: tuple[ShownConflict, ...] = ()
    """What a verdict of refuted or conflicting rests on, where plain code can point to it."""
    articles_supporting: int = 0
    articles_refuting: int = 0
    origins_supporting: int = 0
    origins_refuting: int = 0
    missing: tuple[str, ...] = ()
    """What was not found, and what would change the verdict; sentences."""
    searched: Searched | None = None
    warnings: tuple[Notice, ...] = ()
    failure: Failure | None = None
    checked_before: tuple[FactCheckMatch, ...] = ()
    """Published fact-checks that are surely about what was asked, best first; nothing of the answer rests on them."""
    timings: dict[str, float] = Field(default_factory=dict)
    """Stage name to milliseconds; `total` for all."""
    run_id: str
    run: "RunRecord | None" = None

    @model_validator(mode="after")
    def _failure_is_no_finding(self) -> "Result":
        failed = self.status is Status.FAILED
        if failed != (self.failure is not None) or (failed and self.verdict is not None):
            raise ValueError("status failed goes with a failure and without a verdict; no other status has a failure")
        return self


class ModelCall(Model):
    """One request to a generator and its raw reply."""

    purpose: str
    """answer, self_verification, label, ..."""
    generator: str
    """Name of the generator and the model it names."""
    model: str | None = None
    """The model, as the server names it."""
    prompt_name: str | None = None
    prompt_version: str | None = None
    prompt_hash: str | None = None
    messages: tuple[dict[str, str], ...]
    reply: str | None
    """As it came, unchecked; None when the call failed."""
    cut_off: bool = False
    """The reply reached the longest length allowed."""
    first_token: dict[str, float] = Field(default_factory=dict)
    """Likeliest tokens at the first place with their log-probabilities, where they were asked for."""
    failure: Failure | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seed: int | None = None
    duration_ms: float


class Retrieved(Model):
    """One passage as a retriever ranked it."""

    passage_id: str
    score: float | None


class RunRecord(Model):
    """Everything one answer came from; enough to replay it."""

    run_id: str
    created_at: UtcTime
    version: str
    """Of Looksy."""
    system: str
    request: Request
    settings: dict[str, Any]
    """Without secrets."""
    snapshot_id: str | None
    models: dict[str, str]
    """Role to name and hash."""
    pipeline_hash: str
    retrieved: tuple[Retrieved, ...] = ()
    digests: tuple[Digest, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    verdict_inputs: dict[str, Any] = Field(default_factory=dict)
    timings: dict[str, float] = Field(default_factory=dict)
