"""Elasticsearch's exceptions as ours, in one place."""

from collections.abc import Iterator
from contextlib import contextmanager

from elasticsearch import ApiError, NotFoundError, TransportError
from elasticsearch.exceptions import AuthenticationException, AuthorizationException

from core.errors import LooksyError, StoreError, StoreMissingError, UnavailableError

_TOO_MANY = 429
_SERVER_FAULT = 500
_BLOCKED = "cluster_block_exception"


class BulkError(StoreError):
    """
    Elasticsearch refused documents for good; what it refused is named, nothing is dropped silently.

    :param failures: Document id to reason.
    """

    code = "bulk_failed"

    def __init__(self, failures: dict[str, str]) -> None:
        shown = "; ".join(f"{name}: {reason}" for name, reason in list(failures.items())[:5])
        more = f"; and {len(failures) - 5} more" if len(failures) > 5 else ""  # noqa: PLR2004 - as many as are shown
        super().__init__(
            f"Elasticsearch refused {len(failures)} documents: {shown}{more}",
            field="store_url",
            hint="Nothing of this commit is visible. Mend the cause and run 'looksy index' again.",
        )
        self.failures = failures


@contextmanager
def translated(url: str) -> Iterator[None]:
    """
    Raise our errors in place of the client's.

    :param url: Named in messages; holds no credentials.
    """
    try:
        yield
    except (ApiError, TransportError) as error:
        raise as_looksy_error(error, url) from error


def as_looksy_error(error: Exception, url: str) -> LooksyError:
    """Return the error that tells a person what to do."""
    if isinstance(error, ApiError) and error.error == _BLOCKED:  # 403 or 429, as the block is
        return UnavailableError(
            f"Elasticsearch at {url} blocks the request: {str(error)[:300]}",
            field="store_url",
            hint="Free disk space on the server if its disk is full, or lift the block of the index.",
        )
    if isinstance(error, AuthenticationException | AuthorizationException):
        return UnavailableError(
            f"Elasticsearch at {url} refuses the login ({error.status_code})",
            field="store_api_key",
            hint="Set LOOKSY_STORE_API_KEY, or LOOKSY_STORE_USER and LOOKSY_STORE_PASSWORD.",
        )
    if isinstance(error, NotFoundError):
        return StoreMissingError(
            f"there is no index at {url}", field="store_index", hint="Run 'looksy index' with the same --store first."
        )
    if isinstance(error, ApiError) and error.status_code != _TOO_MANY and error.status_code < _SERVER_FAULT:
        return StoreError(f"Elasticsearch at {url} refuses the request: {error}", field="store_url")
    return UnavailableError(
        f"Elasticsearch at {url} does not answer as it should: {type(error).__name__}: {str(error)[:300]}",
        field="store_url",
        hint="See that the server runs and that the address and the CA file are right.",
    )
