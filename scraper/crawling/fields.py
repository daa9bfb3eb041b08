"""The header fields of a response, as text."""

from scrapy.http import Response


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


def _field(response: Response, name: bytes) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value is not None else None
