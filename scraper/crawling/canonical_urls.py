"""Which address an article is known by, where its page claims one that belongs to another text."""

from core.editions import are_alike
from core.types import Article
from scraper.sitemaps.selection import Selection
from scraper.state.frontier import Frontier, Page
from scraper.state.ledger import Entry, Ledger
from scraper.state.variants import Variants


class CanonicalUrls:
    """
    Believes the canonical address of a page until a page of unlike text names the same one.

    Some sites' templates name one address on all pages, and some tell their articles apart by what tells nothing on
    others (`?ref=101`): then each article is kept under its page's own address.

    :param frontier: Knows the pages.
    :param ledger: Knows the articles.
    :param selection: Says which addresses are one.
    :param variants: Knows which marks of addresses tell the site's articles apart.
    """

    def __init__(self, frontier: Frontier, ledger: Ledger, *, selection: Selection, variants: Variants) -> None:
        self.frontier = frontier
        self.ledger = ledger
        self.selection = selection
        self.variants = variants

    def name(self, page: Page, found: Article, *, address: str) -> Article:
        """
        Give an article the address and the id that it is known by.

        :param address: Where the page was found, after redirects.
        """
        known = self._held_by(page)
        names_itself = self._are_one(found.url, address)
        if known is not None and not self._are_one(known.url, address):
            known = known if names_itself and self._has_moved(page, known, found) else None
        if names_itself:
            if known is not None:
                found = found.model_copy(update={"article_id": known.article_id})
            elif self._is_of_variant(page, found, address=address):
                name = self.selection.exact_article_id(address)
                return found.model_copy(update={"url": address, "article_id": name})
            else:
                found = self._with_first_id(found)
            return self._with_own_marks(found, address)
        named = self._find(found.article_id)
        if known is not None and (known.article_id == found.article_id or (named is None and are_alike(known, found))):
            return found.model_copy(update={"url": address, "article_id": known.article_id})
        if named is None or named.url_id == page.id or are_alike(self.ledger.read(named), found):
            return found if named is None else found.model_copy(update={"article_id": named.article_id})
        own = found.model_copy(update={"url": address, "article_id": self.selection.article_id(address)})
        if self._is_of_variant(page, own, address=address):
            return own.model_copy(update={"article_id": self.selection.exact_article_id(address)})
        return own

    def lesson(self, page: Page, found: Article, *, claimed: Article) -> tuple[frozenset[str], bool] | None:
        """
        Return what a page teaches of the marks of addresses.

        :param found: As `name` returns it.
        :param claimed: The same as its page names it.
        :returns: Kinds of marks in which it differs from the page of the article that it claims to be, and whether
            they are one article; None: it differs in none.
        """
        entry = self._find(claimed.article_id)
        other = self.frontier.address_of(entry.url_id) if entry is not None and entry.url_id != page.id else None
        if entry is None or other is None or not self._are_one(page.url, other):
            return None
        kinds = self.selection.differing(page.url, other)
        return (kinds, found.article_id == entry.article_id) if kinds else None

    def _held_by(self, page: Page) -> Article | None:
        """Return the article that is fetched from a page."""
        held = self.ledger.find(page.article_id) if page.article_id else None
        return self.ledger.read(held) if held is not None and held.url_id == page.id else None

    def _has_moved(self, page: Page, known: Article, found: Article) -> bool:
        """Say whether a page's article is served at a new address, which no other page's article has."""
        named = self._find(found.article_id)
        return (named is None or named.url_id == page.id) and are_alike(known, found)

    def _find(self, name: str) -> Entry | None:
        """Find an article by its id, or by one that it would have had if it had not kept its first one."""
        return self.ledger.find(name) or self.ledger.find_alias(name)

    def _with_first_id(self, found: Article) -> Article:
        """Give an article that moved here before its page was listed the id that it kept."""
        entry = self._find(found.article_id)
        if entry is None or entry.article_id == found.article_id or not are_alike(self.ledger.read(entry), found):
            return found
        return found.model_copy(update={"article_id": entry.article_id})

    def _is_of_variant(self, page: Page, found: Article, *, address: str) -> bool:
        """Say whether the id of an article belongs to another text, whose page's address differs in marks only."""
        entry = self.ledger.find(found.article_id)
        other = self.frontier.address_of(entry.url_id) if entry is not None and entry.url_id != page.id else None
        if entry is None or other is None or not self._are_one(other, address):
            return False
        return bool(self.selection.differing(other, address)) and not are_alike(self.ledger.read(entry), found)

    def _with_own_marks(self, found: Article, address: str) -> Article:
        """Give an article its page's address where that differs from the named one in what tells articles apart."""
        kinds = self.selection.differing(found.url, address)
        return found.model_copy(update={"url": address}) if kinds and self.variants.tells_apart(kinds) else found

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
        is_variant = found.article_id == self.selection.exact_article_id(found.url)
        has_own_marks = not is_variant or not self.selection.differing(address, article.url)
        is_own = self._are_one(address, claimed.url) and has_own_marks
        is_believed = self._are_one(article.url, claimed.url) and not is_own
        return (article.model_copy(update={"url": address}), entry.url_id) if found != claimed and is_believed else None

    def _moved(self, article: Article, address: str) -> Article:
        """Give an article the id of its page's address, where it may be a revision."""
        name = self.selection.article_id(address)
        known = self.ledger.find(name)
        revision = 1 if known is None else known.revision + (known.content_hash != article.content_hash)
        return article.model_copy(update={"article_id": name, "url": address, "revision": revision})

    def _are_one(self, url: str, other: str) -> bool:
        return url == other or self.selection.key(url) == self.selection.key(other)
