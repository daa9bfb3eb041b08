"""What a crawl did, for machines and for people."""

from pathlib import Path

from pydantic import Field

from core.types import Model, UtcTime

_COUNTS = (
    "listed", "fetched", "new", "changed", "unchanged", "returned", "gone", "duplicates", "shared_canonical",
    "refused_by_robots", "paywalled",
)  # fmt: skip


class BlockReport(Model):
    """How a site keeps the crawler out."""

    kind: str
    """login, payment, forbidden, rate_limited, legal, challenge (a bot check) or consent."""
    since: UtcTime
    """The first blocked answer since a page came through."""
    last_at: UtcTime
    answers: int
    """Blocked answers in a row in the last session that met it."""


class LostPage(Model):
    """A page that gave no article."""

    url: str
    outcome: str
    """rejected, failed or gone."""
    reason: str | None
    """Code; None: not known."""


class CrawlReport(Model):
    """One run of one publisher; an interrupted run is reported as a whole when it is complete."""

    publisher: str
    run_id: str
    started_at: UtcTime
    duration_s: float
    """Of all sessions together."""
    sessions: int
    """1 + how often the run was interrupted and resumed."""
    complete: bool
    """Nothing that was due is left."""
    remaining: int = 0
    """Pages that are still due."""
    sitemaps: int = 0
    """Read in this run."""
    listed: int = 0
    """Wanted pages that are known from sitemaps."""
    fetched: int = 0
    """Pages that were asked for and settled."""
    new: int = 0
    changed: int = 0
    """Articles with a new revision."""
    unchanged: int = 0
    returned: int = 0
    """Articles that had been gone."""
    gone: int = 0
    duplicates: int = 0
    """Further addresses of known articles."""
    shared_canonical: int = 0
    """Articles held whose pages name one canonical address for unlike texts; each is kept under its page's own."""
    refused_by_robots: int = 0
    paywalled: int = 0
    rejected: dict[str, int] = Field(default_factory=dict)
    """Reason code to count: pages that are not articles."""
    failed: dict[str, int] = Field(default_factory=dict)
    """Reason code to count: pages that could not be fetched."""
    lost: tuple[LostPage, ...] = ()
    """The pages that were rejected, failed or gone, by address; the first ones, the counts tell all."""
    skipped: dict[str, int] = Field(default_factory=dict)
    """Of a crawl of files, reason code to count: captures that were not read; `known`: none newer than what is held."""
    blocked: tuple[BlockReport, ...] = ()
    """How the site keeps the crawler out now, and since when; empty: it lets it in."""
    requests: int = 0
    bytes: int = 0
    """Received, as it came over the wire."""
    taken: int = 0
    """Articles of the last session, which are what its limit counts."""
    cpu_s: float = 0.0
    """CPU time of the crawling process in its last session; extraction has processes of its own."""
    peak_memory_mb: float = 0.0
    """Most memory that the crawling process held in its last session; 0 where the system does not say."""
    articles: int = 0
    """Held of this publisher now, gone ones left out."""
    coverage: dict[str, int] = Field(default_factory=dict)
    """Month of publication (YYYY-MM, UTC; `unknown` where the page does not say) to number of articles held."""
    warnings: tuple[str, ...] = ()
    articles_file: str | None = None
    """Where this run's articles were written, relative to the data directory; None if there were none."""

    def rows(self) -> list[tuple[str, str]]:
        """Return the report as a table: what, and how many or how much."""
        rows = [(name.replace("_", " "), f"{getattr(self, name):,}") for name in _COUNTS]
        rows += [(f"rejected: {reason}", f"{count:,}") for reason, count in self.rejected.items()]
        rows += [(f"failed: {reason}", f"{count:,}") for reason, count in self.failed.items()]
        rows += [(f"skipped: {reason}", f"{count:,}") for reason, count in self.skipped.items()]
        rows += [(f"blocked: {one.kind}", f"since {one.since:%Y-%m-%d %H:%M} UTC") for one in self.blocked]
        return [
            *rows,
            ("sitemaps", f"{self.sitemaps:,}"),
            ("requests", f"{self.requests:,}"),
            ("bytes", f"{self.bytes:,}"),
            ("duration", f"{self.duration_s:,.1f} s"),
            ("articles held", f"{self.articles:,}"),
        ]


def report_path(publisher: str, run_id: str) -> Path:
    """Return where a run's report is kept as JSON, relative to the data directory."""
    return Path("crawl") / "reports" / publisher / f"{run_id}.json"


def keep_report(data_dir: Path, report: CrawlReport) -> None:
    """Write a report as JSON, whole or not at all."""
    path = data_dir / report_path(report.publisher, report.run_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".tmp")
    draft.write_text(report.model_dump_json(indent=2) + "\n", encoding="utf-8")
    draft.replace(path)
