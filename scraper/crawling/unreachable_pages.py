"""Pages that failed as if the host or the network were to blame, and when to doubt the host."""

from scraper.state.frontier import Page

UNREACHABLE_IN_A_ROW = 10
"""After so many pages that host or network failed, robots.txt is asked for; if that fails, too, the crawl stops."""
DOUBTS_IN_A_ROW = 5
"""After so many times without a page between them, the crawl stops, too; the next one goes on with other pages."""


class UnreachablePages:
    """Holds the pages until it is known who failed: they or their host."""

    def __init__(self) -> None:
        self._pages: list[tuple[Page, str]] = []
        self._asking = False
        self._doubts = 0

    def add(self, page: Page, reason: str) -> None:
        """Take a page, and the code of what failed."""
        self._pages.append((page, reason))

    def begin_doubt(self) -> bool:
        """Say whether robots.txt is to be asked for now; not again until `end_doubt`."""
        begins = len(self._pages) >= UNREACHABLE_IN_A_ROW and not self._asking
        self._asking |= begins
        return begins

    def end_doubt(self) -> bool:
        """Note that the host answered for robots.txt, and say whether that has been so too often without a page."""
        self._asking = False
        self._doubts += 1
        return self._doubts >= DOUBTS_IN_A_ROW

    def end_doubts(self) -> None:
        """Note that a page was answered."""
        self._doubts = 0

    def release(self) -> list[tuple[Page, str]]:
        """Give back the pages: the host answers, so they failed for themselves."""
        pages, self._pages = self._pages, []
        return pages
