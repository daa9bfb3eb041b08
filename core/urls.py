"""Which URLs are the same article, and the stable names made from them."""

import hashlib
import re
import unicodedata
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import idna
from w3lib.url import canonicalize_url

TRACKING_PARAMETERS = frozenset(
    {
        "fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "cmpid", "ocid", "ftag", "ref",
        "ref_src", "ref_url", "smid", "smtyp", "ncid", "taid", "xtor", "at_medium", "at_campaign", "_ga", "spm",
        "outputtype",
    }
)  # fmt: skip
TRACKING_PREFIXES = ("utm_", "at_custom", "pk_", "mtm_", "hsa_")
_AMP_SUFFIX = re.compile(r"(?:/amp|\.amp|/amp\.html|(?<=\w)\.amp\.html)/?$")
_AMP_PREFIX = re.compile(r"^/amp(?=/.)")
_AMP_VALUES = frozenset({"", "1", "true", "yes"})
_ALREADY_CANONICAL = re.compile(r"https?://[a-z0-9.-]+(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?")
"""Addresses as most sites write them, which canonicalisation would leave as they are."""
_NO_HOST = re.compile(r"[/\\?#@\[\]]")
"""What parts an address stands in no host; encoded, it makes one that no browser opens."""
_VARIANT_HOST = re.compile(r"^(?:(?:www|amp|m|mobile)\.)+(?=[^.]+\.)")


def is_tracking_parameter(name: str, *, extra: frozenset[str] = frozenset()) -> bool:
    """Say whether a query parameter only tells where a visitor came from."""
    lowered = name.lower()
    return lowered in TRACKING_PARAMETERS or lowered in extra or lowered.startswith(TRACKING_PREFIXES)


def normalise_url(url: str, *, tracking_parameters: frozenset[str] = frozenset()) -> str:
    """
    Give the variants of one address one form: https, lower-case host without `www.`, `amp.` or `m.`, sorted query
    without tracking parameters, no fragment, no AMP prefix, suffix or parameter, no trailing slash.

    The form is an identity, not necessarily an address that answers. A bare name without a scheme is returned as it is.

    :param tracking_parameters: Further parameters of this publisher to drop, in lower case.
    :raises ValueError: If the URL cannot be split.
    """
    url = url.strip()
    parts = urlsplit(url if _ALREADY_CANONICAL.fullmatch(url) else canonicalize_url(url))
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return url
    host = _VARIANT_HOST.sub("", parts.hostname.lower())
    port = f":{parts.port}" if parts.port and parts.port not in {80, 443} else ""
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = [pair for pair in pairs if not is_tracking_parameter(pair[0], extra=tracking_parameters)]
    query = urlencode([(name, value) for name, value in kept if name.lower() != "amp" or value not in _AMP_VALUES])
    path = _normal_path(parts.path)
    return urlunsplit(("https", host + port, path, query, ""))


def _normal_path(path: str) -> str:
    """Drop AMP marks and trailing slashes, until nothing is left to drop."""
    while (shorter := _AMP_SUFFIX.sub("", _AMP_PREFIX.sub("", path)).rstrip("/") or "/") != path:
        path = shorter
    return path


def article_id(url: str, *, tracking_parameters: frozenset[str] = frozenset()) -> str:
    """Name an article by its address: 16 hexadecimal digits of the SHA-256 of the normalised URL."""
    return hashlib.sha256(normalise_url(url, tracking_parameters=tracking_parameters).encode()).hexdigest()[:16]


def content_hash(headline: str, body: str) -> str:
    """Name a revision by its content: SHA-256 of headline and body, in hexadecimal."""
    return hashlib.sha256(f"{headline}\n\n{body}".encode()).hexdigest()


def text_fragment(url: str, quote_text: str, *, edge_words: int = 6) -> str:
    """
    Make a link that opens a page at a quote.

    Source: URL Fragment Text Directives, W3C Community Group report. A long quote is named by its first and last words.

    :param quote_text: The quote, verbatim.
    :param edge_words: Words to keep at either end of a quote longer than twice as many.
    """
    words = quote_text.split()
    ends = (words,) if len(words) <= 2 * edge_words else (words[:edge_words], words[-edge_words:])
    directive = ",".join(quote(" ".join(part), safe="").replace("-", "%2D") for part in ends)
    return f"{url.split('#', 1)[0]}#:~:text={directive}"


def hostname(url: str) -> str:
    """
    Return the lower-case host of a URL as browsers read it, without `www.`; empty if it has none.

    :raises ValueError: If the URL cannot be split.
    """
    encoded = urlsplit(url.replace("\\", "/")).hostname or ""  # browsers take either slash
    host = unicodedata.normalize("NFKC", unquote(encoded)).lower()
    return "" if _NO_HOST.search(host) else host.removeprefix("www.")


def ascii_host(host: str) -> str:
    """Return the ASCII form of an international host, as browsers ask for it (UTS 46); what has none, as it is."""
    try:
        return host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        return host


def ascii_hostname(url: str) -> str:
    """Return the `hostname` of an address in its ASCII form, so that both forms of an international one are one."""
    return ascii_host(hostname(url))


def has_login(url: str) -> bool:
    """
    Say whether a user, or what looks like one, stands before the host.

    :raises ValueError: If the URL cannot be split.
    """
    return "@" in urlsplit(url).netloc
