"""
Fact-checks from schema.org ClaimReview, in JSON-LD of any form.

Source: https://schema.org/ClaimReview. Reviews may stand alone, in a list, under `@graph`, or in a `DataFeed` as the
large feeds have them; what they point to by `@id` may stand elsewhere in the same document.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

from core.urls import hostname, normalise_url
from indexing.factchecks.text import plain_line, read_day, web_address
from indexing.factchecks.types import REVIEW_PREFIX, FactCheck

MAX_DEPTH = 40
_TYPE = "claimreview"
_IDENTITY_DIGITS = 20


class RefusedError(ValueError):
    """
    An entry cannot be taken.

    :param field: Its field that is at fault.
    """

    def __init__(self, reason: str, *, field: str) -> None:
        super().__init__(reason)
        self.field = field


class JsonLd:
    """
    A JSON-LD document whose nodes may point to each other.

    :param document: As `json` reads it.
    """

    def __init__(self, document: object) -> None:
        self.document = document
        self._named: dict[str, dict[str, Any]] = {}
        for node, _ in _nodes(document):
            name = node.get("@id")
            if isinstance(name, str) and len(node) > len(self._named.get(name, {})):
                self._named[name] = node

    def reviews(self) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Yield each ClaimReview, with the item of a feed that holds it; empty: none does."""
        for node, parent in _nodes(self.document):
            if is_claim_review(node):
                yield node, parent

    def get(self, node: dict[str, Any], *path: str) -> object:
        """Follow names through a node; of a list the first, of a pointer what it points to. None: nothing is there."""
        value: object = node
        for name in path:
            value = self._one(value)
            value = _lookup(value, name) if isinstance(value, dict) else None
        return self._one(value)

    def text(self, node: dict[str, Any], *path: str) -> str:
        """Return what `get` finds as one line."""
        return plain_line(self.get(node, *path))

    def _one(self, value: object) -> object:
        for _ in range(MAX_DEPTH):
            if isinstance(value, list):
                value = value[0] if value else None
            elif isinstance(value, dict) and "@value" in value:
                value = value["@value"]
            elif isinstance(value, dict) and set(value) <= {"@id", "@type"} and value.get("@id") in self._named:
                target = self._named[value["@id"]]
                if target is value:
                    return value
                value = target
            else:
                return value
        return None


def is_claim_review(node: object) -> bool:
    """Say whether a node of a document is a ClaimReview."""
    if not isinstance(node, dict):
        return False
    given = node.get("@type", node.get("type"))
    types = given if isinstance(given, list) else [given]
    return any(isinstance(one, str) and one.replace(":", "/").rsplit("/", 1)[-1].lower() == _TYPE for one in types)


def read_claim_review(data: JsonLd, node: dict[str, Any], parent: dict[str, Any]) -> FactCheck:
    """
    Read one ClaimReview.

    :param parent: The item of a feed that holds it; its address counts where the review has none.
    :raises RefusedError: If it names no claim or no address, or one that cannot be used.
    """
    claim = (
        data.text(node, "claimReviewed")
        or data.text(node, "itemReviewed", "text")
        or data.text(node, "itemReviewed", "name")
    )
    if not claim:
        raise RefusedError("claimReviewed is missing or empty", field="claimReviewed")
    url = _address(data, node, parent)
    publisher = next(
        (name for role in ("author", "publisher", "sourceOrganization") if (name := _name(data, node, role))), ""
    )
    return FactCheck(
        id=_identity(url, claim),
        claim=claim,
        title=data.text(node, "headline") or data.text(node, "name"),
        verdict=_verdict(data, node),
        url=url,
        publisher=publisher or hostname(url),
        date=_day(data, node),
        claimant=_name(data, node, "itemReviewed", "author"),
    )


def _address(data: JsonLd, node: dict[str, Any], parent: dict[str, Any]) -> str:
    given = (
        data.text(node, "url") or data.text(node, "url", "@id"),
        data.text(node, "mainEntityOfPage", "@id") or data.text(node, "mainEntityOfPage"),
        data.text(parent, "url"),
        data.text(node, "@id"),
    )
    first = next((one for one in given if one), "")
    if not first:
        raise RefusedError("url is missing", field="url")
    try:
        return web_address(first)
    except ValueError as error:
        raise RefusedError(f"url {error}", field="url") from error


def _name(data: JsonLd, node: dict[str, Any], *path: str) -> str:
    return data.text(node, *path, "name") or data.text(node, *path)


def _verdict(data: JsonLd, node: dict[str, Any]) -> str:
    """Return the rating in words; where there are none, the number on its scale."""
    words = data.text(node, "reviewRating", "alternateName") or data.text(node, "reviewRating", "name")
    if words:
        return words
    value, best = data.text(node, "reviewRating", "ratingValue"), data.text(node, "reviewRating", "bestRating")
    return f"{value} of {best}" if value and best else value


def _day(data: JsonLd, node: dict[str, Any]) -> Any:
    try:
        return read_day(data.get(node, "datePublished")) or read_day(data.get(node, "dateCreated"))
    except ValueError:  # a report without a date is better than none
        return None


def _identity(url: str, claim: str) -> str:
    digest = hashlib.sha256(f"{normalise_url(url)}\n{claim.casefold()}".encode()).hexdigest()
    return REVIEW_PREFIX + digest[:_IDENTITY_DIGITS]


def _lookup(node: dict[str, Any], name: str) -> object:
    """Return a property, under its plain name or that of the vocabulary."""
    for key in (name, f"schema:{name}", f"http://schema.org/{name}", f"https://schema.org/{name}"):
        if node.get(key) is not None:
            return node[key]
    return None


def _nodes(document: object) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield every object of a document with the one around it, in order, no deeper than `MAX_DEPTH`."""
    waiting: list[tuple[object, dict[str, Any], int]] = [(document, {}, 0)]
    while waiting:
        value, parent, depth = waiting.pop()
        if depth > MAX_DEPTH:
            continue
        if isinstance(value, dict):
            yield value, parent
            waiting += [(one, value, depth + 1) for one in reversed(list(value.values()))]
        elif isinstance(value, list):
            waiting += [(one, parent, depth + 1) for one in reversed(value)]
