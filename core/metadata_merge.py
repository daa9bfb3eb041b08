"""What a newer reading of an article corrects where the text stays the same."""

from typing import Any

from core.types import Article

CORRECTABLE = ("url", "published_at", "section", "authors", "language")
"""Fields that the newest reading of an article decides."""


def corrected(known: Article, article: Article) -> Article | None:
    """
    Return the known revision with the corrected fields of a newer reading of the same text.

    A field that the newer reading lacks keeps its value. When the revision was first seen stays as it was. A page that
    was gone and was read again later is no longer gone.

    :returns: None: nothing differs.
    """
    given = {name: value for name in CORRECTABLE if (value := getattr(article, name))}
    differing: dict[str, Any] = {name: value for name, value in given.items() if value != getattr(known, name)}
    if article.gone_at is None and known.gone_at is not None and article.first_seen_at > known.gone_at:
        differing["gone_at"] = None
    return known.model_copy(update=differing) if differing else None
