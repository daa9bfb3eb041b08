"""The header fields of requests and responses, as text, and which status brings content."""

from scrapy.http import Response

WITH_CONTENT = frozenset({200, 203})
"""OK, and the same from a proxy that may have changed it."""


def validators(response: Response) -> tuple[str | None, str | None]:
    """Return ETag and Last-Modified of a response; None where it has none."""
    return _field(response, b"ETag"), _field(response, b"Last-Modified")


def fields_of(response: Response) -> dict[str, str]:
    """Return the header fields of a response, names in lower case; of repeated ones the last."""
    return {
        name.decode("latin-1").lower(): values[-1].decode("latin-1")
        for name, values in dict.items(response.headers)  # Scrapy's own items() looks every name up again
        if values
    }


def only_if_changed(etag: str | None, last_modified: str | None) -> dict[str, str]:
    """Return the fields that ask for a page only if it is another than the one with these validators."""
    fields = {"If-None-Match": etag, "If-Modified-Since": last_modified}
    return {name: value for name, value in fields.items() if value}


def _field(response: Response, name: bytes) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value is not None else None
