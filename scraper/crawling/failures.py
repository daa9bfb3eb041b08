"""Why a page could not be fetched, as a code for reports and a sentence for people."""

from gzip import BadGzipFile

from scrapy import exceptions
from scrapy.exceptions import IgnoreRequest
from twisted.internet.error import ConnectError, ConnectionClosed

_CODES: tuple[tuple[type[BaseException], str], ...] = (
    (exceptions.CannotResolveHostError, "dns"),
    (exceptions.DownloadConnectionRefusedError, "connection_refused"),
    (exceptions.DownloadTimeoutError, "timeout"),
    (exceptions.ResponseDataLossError, "incomplete"),
    (exceptions.DownloadCancelledError, "too_large"),
    (BadGzipFile, "undecodable"),
    (exceptions.DownloadFailedError, "connection"),
    (ConnectError, "connection"),
    (ConnectionClosed, "connection"),
    (OSError, "connection"),
)
_SENTENCES = {
    "dns": "its name cannot be resolved to a public address; for one in your own network the publisher file has to say"
    " allow_private_addresses: true",
    "connection_refused": "it refuses connections",
    "timeout": "it does not answer in time",
    "tls": "its certificate cannot be verified",
    "connection": "the connection breaks",
    "incomplete": "it breaks off its answers",
    "undecodable": "its answers are not encoded as they say",
}
UNREACHABLE = frozenset({"dns", "connection_refused", "timeout", "connection", "tls"})
"""Codes that say more about the host or the network than about the page."""


def reason_of(error: BaseException) -> str:
    """Return the code of a failed download; each kind of compression has errors of its own."""
    code = getattr(error, "reason", None)
    if isinstance(error, IgnoreRequest) and isinstance(code, str):
        return code
    text = str(error)
    if "certificate" in text or "SSL" in text or "TLS" in text:
        return "tls"
    if isinstance(error, IgnoreRequest):
        return "too_large" if "exceeded" in text else "redirects" if "redirection" in text else "ignored"
    return next((code for kind, code in _CODES if isinstance(error, kind)), "undecodable")


def describe(error: BaseException) -> str:
    """Say in a few words why a host could not be reached."""
    return _SENTENCES.get(reason_of(error), str(error) or type(error).__name__)
