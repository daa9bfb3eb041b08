"""Crawls without a network: what pages hold is given."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.types import Article
from scraper.crawling.page_recorder import PageRecorder, Reply
from scraper.extraction.workers.tasks import PageResult
from scraper.publishers.site import Site
from scraper.rejection import Rejection
from scraper.sitemaps.selection import Selection
from scraper.state.crawls import Crawls
from scraper.state.database import Database
from scraper.state.frontier import Listed, Outcome
from scraper.state.report import CrawlReport
from scraper.state.summary import summarise
from tests.scraper.crawling.playsite import publisher

NOW = datetime(2024, 3, 5, tzinfo=UTC)


class PlayCrawls:
    """Each crawl settles all pages that it is shown."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.database = Database(data_dir).open()
        self.day = 0
        self.run_id = ""

    def crawl(
        self,
        shown: Mapping[str, Article | Rejection | None],
        *,
        same_article: str | None = None,
        redirects: dict[str, str] | None = None,
    ) -> list[Outcome]:
        """
        Crawl once.

        :param shown: By address, what each page holds; None: it is not there.
        :param redirects: Addresses that lead to others.
        """
        self.day += 1
        now = NOW + timedelta(days=self.day)
        made = publisher(same_article=same_article)
        selection = Selection(made)
        run = Crawls(self.database).begin("play", config="c", now=now)
        keeper = PageRecorder(self.database, run, site=Site(made), selection=selection)
        listed = [Listed(selection.key(url), url, now) for url in shown]
        with self.database.transaction() as sql:
            keeper.variants.add(sql, keeper.frontier.rename(sql, listed, same_address=selection.same_address))
        outcomes = []
        while due := keeper.frontier.due(after=0, limit=1):
            record, found = f"{self.day} {due[0].url}\n".encode(), shown[due[0].url]
            if found is None:
                outcomes.append(keeper.gone(due[0], 404, now=now))
            else:
                outcomes.append(
                    keeper.extracted(
                        due[0], Reply(None, None, now, (redirects or {}).get(due[0].url)), PageResult(found, record)
                    )
                )
        keeper.close()
        self.run_id = run.run_id
        assert Crawls(self.database).finish(run)
        return outcomes

    def report(self) -> CrawlReport:
        """Report the last crawl."""
        return summarise(self.database, self.run_id)

    def archive(self) -> list[str]:
        """Return the records, oldest first."""
        files = sorted((self.data_dir / "crawl" / "warc").rglob("*.warc.gz"))
        return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]

    def record_of(self, url: str) -> str:
        """Return the record that is named for a page."""
        (reference,) = self.database.sql.execute("SELECT raw_ref FROM urls WHERE url = ?", (url,)).fetchone()
        name, _, offset = reference.rpartition(":")
        content: bytes = (self.data_dir / name).read_bytes()
        return content[int(offset) :].decode().splitlines()[0]
