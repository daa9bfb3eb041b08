"""Counts a run from the state, so that the figures hold however often it was interrupted."""

import json
from collections import Counter
from datetime import datetime
from pathlib import Path

from scraper.state.blocks import known_blocks
from scraper.state.database import Database
from scraper.state.frontier import Outcome
from scraper.state.report import BlockReport, CrawlReport, LostPage

_PAYWALLED = "paywalled"
MAX_LOST = 1000
"""Lost pages that a report names."""


def articles_path(publisher: str, run_id: str) -> Path:
    """Return where a run's articles are written, relative to the data directory."""
    return Path("articles") / publisher / f"{run_id}.jsonl"


def summarise(database: Database, run_id: str) -> CrawlReport:
    """Report a run as it stands."""
    sql = database.sql
    run = sql.execute("SELECT * FROM runs WHERE run_id = ?", (run_id,)).fetchone()
    publisher = run["publisher"]
    by_outcome, rejected, failed = _count_outcomes(database, run_id)
    path = articles_path(publisher, run_id)
    return CrawlReport(
        publisher=publisher,
        run_id=run_id,
        started_at=datetime.fromisoformat(run["started_at"]),
        duration_s=round(run["seconds"], 3),
        sessions=run["sessions"],
        complete=run["finished_at"] is not None,
        remaining=_count(database, "urls WHERE publisher = ? AND due_run = ?", publisher, run_id),
        sitemaps=_count(database, "sitemaps WHERE publisher = ? AND run_id = ? AND status = 'read'", publisher, run_id),
        listed=_count(database, "urls WHERE publisher = ? AND status <> 'variant'", publisher),
        fetched=by_outcome.total() - by_outcome[Outcome.ROBOTS],
        new=by_outcome[Outcome.NEW],
        changed=by_outcome[Outcome.CHANGED],
        unchanged=by_outcome[Outcome.UNCHANGED],
        returned=by_outcome[Outcome.RETURNED],
        gone=by_outcome[Outcome.GONE],
        duplicates=by_outcome[Outcome.DUPLICATE],
        shared_canonical=_count_sharing(database, publisher),
        refused_by_robots=by_outcome[Outcome.ROBOTS],
        paywalled=by_outcome[Outcome.REJECTED] - rejected.total(),
        rejected=dict(sorted(rejected.items())),
        failed=dict(sorted(failed.items())),
        lost=_lost(database, run_id),
        blocked=tuple(
            BlockReport(kind=one.kind, since=one.since, last_at=one.last_at, answers=one.answers)
            for one in known_blocks(sql, publisher)
        ),
        requests=run["requests"],
        bytes=run["bytes"],
        articles=_count(database, "articles WHERE publisher = ? AND gone_at IS NULL", publisher),
        coverage=_coverage(database, publisher),
        warnings=tuple(json.loads(run["warnings"])),
        articles_file=path.as_posix() if (database.data_dir / path).is_file() else None,
    )


def _count_outcomes(database: Database, run_id: str) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return the pages by outcome, the rejected ones (paywalled ones left out) and the failed ones by reason."""
    by_outcome, rejected, failed = Counter[str](), Counter[str](), Counter[str]()
    for row in database.sql.execute(
        "SELECT outcome, reason, count(*) AS n FROM urls WHERE run_id = ? GROUP BY outcome, reason", (run_id,)
    ):
        by_outcome[row["outcome"]] += row["n"]
        if row["outcome"] == Outcome.REJECTED and row["reason"] != _PAYWALLED:
            rejected[row["reason"]] += row["n"]
        elif row["outcome"] == Outcome.FAILED:
            failed[row["reason"]] += row["n"]
    return by_outcome, rejected, failed


def _lost(database: Database, run_id: str) -> tuple[LostPage, ...]:
    rows = database.sql.execute(
        "SELECT url, outcome, reason FROM urls WHERE run_id = ? AND outcome IN (?, ?, ?) ORDER BY url LIMIT ?",
        (run_id, Outcome.REJECTED, Outcome.FAILED, Outcome.GONE, MAX_LOST),
    )
    return tuple(LostPage(url=row["url"], outcome=row["outcome"], reason=row["reason"]) for row in rows)


def _count_sharing(database: Database, publisher: str) -> int:
    """Count the articles whose pages name one canonical address: pages with copies of one article are duplicates."""
    row = database.sql.execute(
        "SELECT COALESCE(sum(n), 0) FROM (SELECT count(*) AS n FROM urls"
        " WHERE publisher = ? AND status = 'article' AND canonical IS NOT NULL GROUP BY canonical) WHERE n > 1",
        (publisher,),
    ).fetchone()
    return int(row[0])


def _coverage(database: Database, publisher: str) -> dict[str, int]:
    rows = database.sql.execute(
        "SELECT COALESCE(substr(published_at, 1, 7), 'unknown') AS month, count(*) FROM articles"
        " WHERE publisher = ? AND gone_at IS NULL GROUP BY month ORDER BY month",
        (publisher,),
    )
    return dict(rows.fetchall())


def _count(database: Database, what: str, *values: str) -> int:
    return int(database.sql.execute(f"SELECT count(*) FROM {what}", values).fetchone()[0])
