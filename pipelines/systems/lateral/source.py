"""The text that is read laterally: as it was pasted, or the stored article that an address names."""

import re
from datetime import datetime

from haystack import component

from core.errors import InputError, NotFoundError
from core.types import Article
from core.urls import article_id
from indexing.stores.contract import EvidenceStore
from pipelines.retrieval.search_arguments import require_store
from pipelines.systems.lateral.types import SourceText

FEWEST_WORDS, MOST_WORDS = 10, 2000
_ADDRESS = re.compile(r"^https?://\S+$", re.IGNORECASE)


@component
class LateralSource:
    """
    Take a text, or look up an address in the store; no address is opened.

    :param document_store: None: filled in by Looksy's loader.
    """

    def __init__(self, document_store: EvidenceStore | None = None) -> None:
        self.document_store = document_store

    @component.output_types(source=SourceText)
    def run(self, text: str, as_of: datetime | None = None) -> dict[str, SourceText]:
        """
        Take the text.

        :param as_of: An article must have been known by then, in the revision of then.
        :returns: `source`.
        :raises InputError: If the text has too few or too many words.
        :raises NotFoundError: If no stored article has the address.
        """
        stripped = text.strip()
        if not _ADDRESS.match(stripped):
            require_length(stripped)
            return {"source": SourceText(text=stripped)}
        article = self._find(stripped, as_of)
        if article is None:
            raise NotFoundError(
                f"no article in the archive has the address {stripped[:200]}",
                field="text",
                hint="Paste the text itself, or have the page crawled and indexed first.",
            )
        require_length(article.body)
        return {"source": SourceText(text=article.body, article=article)}

    def _find(self, address: str, as_of: datetime | None) -> Article | None:
        try:
            name = article_id(address)
        except ValueError as error:
            raise InputError(f"text is {address[:100]!r}, which is not an address", field="text") from error
        revisions = require_store(self.document_store, "LateralSource").get_revisions(name)
        known = [one for one in revisions if as_of is None or _known_by(one, as_of)]
        return known[-1] if known else None


def require_length(text: str) -> None:
    """
    Make sure that a text is neither too short nor too long to ask about.

    :raises InputError: If it is.
    """
    words = len(text.split())
    if not FEWEST_WORDS <= words <= MOST_WORDS:
        raise InputError(
            f"text has {words} words; {FEWEST_WORDS} to {MOST_WORDS:,} are accepted",
            field="text",
            hint="Paste a longer passage, or the address of an article in the archive."
            if words < FEWEST_WORDS
            else "Paste a part of it.",
        )


def _known_by(article: Article, as_of: datetime) -> bool:
    return article.first_seen_at <= as_of and (article.published_at is None or article.published_at <= as_of)
