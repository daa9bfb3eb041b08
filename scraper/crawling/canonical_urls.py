"""Which address an article is known by, where its page claims one that belongs to another text."""

from core.shingles import shingles
from core.types import Article
from scraper.sitemaps.selection import Selection
from scraper.state.frontier import Frontier, Page
from scraper.state.ledger import Ledger

MIN_SHARED = 0.6
"""Of the shorter text's runs of words, the share that stands in the longer: editions have more, other articles less."""


class CanonicalUrls:
    """
    Believes the canonical address of a page until a page of unlike text names the same one.

    Some sites' templates name one address on all pages: then each article is kept under its page's own.

    :param frontier: Knows the pages.
    :param ledger: Knows the articles.
    :param selection: Says which addresses are one.
    """

    def __init__(self, frontier: Frontier, ledger: Ledger, *, selection: Selection) -> None:
        self.frontier = frontier
        self.ledger = ledger
        self.selection = selection

    def name(self, page: Page, found: Article, *, address: str) -> Article:
        """
        Give an article the address and the id that it is known by.

        :param address: Where the page was found, after redirects.
        """
        held = self.ledger.find(page.article_id) if page.article_id else None
        known = self.ledger.read(held) if held is not None and held.url_id == page.id else None
        if known is not None and not self._are_one(known.url, address):
            known = None
        if self._are_one(found.url, address):
            return found if known is None else found.model_copy(update={"article_id": known.article_id})
        named = self.ledger.find(found.article_id)
        if known is not None and (known.article_id == found.article_id or (named is None and are_alike(known, found))):
            return found.model_copy(update={"url": address, "article_id": known.article_id})
        if named is None or named.url_id == page.id or are_alike(self.ledger.read(named), found):
            return found
        return found.model_copy(update={"url": address, "article_id": self.selection.article_id(address)})

    def rival(self, page: Page, found: Article, *, claimed: Article, former: int | None) -> tuple[Article, int] | None:
        """
        Give the article that was believed to have a claimed address its own page's.

        :param found: As `name` returns it.
        :param claimed: The same as its page names it.
        :param former: Page of the article whose place this one takes, if it does.
        :returns: The other article, and its page; None: there is none, or it may keep its address.
        """
        entry = self.ledger.find(claimed.article_id if former is None else found.article_id)
        address = self.frontier.address_of(entry.url_id) if entry is not None else None
        if entry is None or address is None or entry.gone or entry.url_id == page.id:
            return None
        article = self.ledger.read(entry)
        if former is not None:
            return None if are_alike(article, found) else (self._moved(article, address), former)
        is_believed = self._are_one(article.url, claimed.url) and not self._are_one(address, claimed.url)
        return (article.model_copy(update={"url": address}), entry.url_id) if found != claimed and is_believed else None

    def _moved(self, article: Article, address: str) -> Article:
        """Give an article the id of its page's address, where it may be a revision."""
        name = self.selection.article_id(address)
        known = self.ledger.find(name)
        revision = 1 if known is None else known.revision + (known.content_hash != article.content_hash)
        return article.model_copy(update={"article_id": name, "url": address, "revision": revision})

    def _are_one(self, url: str, other: str) -> bool:
        return url == other or self.selection.key(url) == self.selection.key(other)


def are_alike(one: Article, other: Article) -> bool:
    """Say whether two texts are editions of one: most of the shorter stands in the longer."""
    if one.body == other.body:
        return True
    runs, others = shingles(one.body), shingles(other.body)
    return len(runs & others) >= MIN_SHARED * min(len(runs), len(others))
