"""Which URLs are the same article, and the stable names made from them."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

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
_CLICK_PARAMETERS = frozenset(
    {"fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "_ga", "ref_src", "ref_url"}
)
"""Of the tracking parameters, those that tools append to anybody's addresses: no site numbers articles with them."""
_SESSION_PARAMETERS = re.compile(r"jsessionid|phpsessid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken", re.IGNORECASE)
"""What servers of their own accord write into the addresses of visitors without cookies."""
_SESSION_NAMES = frozenset({"s", "sid", "session", "sessionid", "session_id", "sess", "oscsid", "zenid", "xtcsid"})
"""Names that sites give to session ids; they may be anything else, too."""
_SESSION_VALUE = re.compile(
    r"(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{10,}|[a-f\d]{8}(?:-[a-f\d]{4}){3}-[a-f\d]{12}", re.IGNORECASE
)
"""Random letters and digits, longer than an article's number, or a UUID."""
_SESSION_IN_PATH = re.compile(r"/\((?:[A-Z]\([A-Za-z0-9]{16,}\))+\)(?=/|$)")
"""As ASP.NET writes it: /(S(lit3py55t21z5v55vlm25s55))/news."""
_PATH_PARAMETER = re.compile(r";([^/;=]+)=([^/;]*)")
_SLASHES = re.compile(r"/{2,}")
_AMP_SUFFIX = re.compile(r"(?:/amp|\.amp|/amp\.html|(?<=\w)\.amp\.html)/?$")
_AMP_PREFIX = re.compile(r"^/amp(?=/.)")
_AMP_VALUES = frozenset({"", "1", "true", "yes"})
_ALREADY_CANONICAL = re.compile(r"https?://[a-z0-9.-]+(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?")
"""Addresses as most sites write them, which canonicalisation would leave as they are."""
_NO_HOST = re.compile(r"[/\\?#@\[\]]")
"""What parts an address stands in no host; encoded, it makes one that no browser opens."""
_MARKED_HOST = re.compile(r"https?://(?:www\.)?(?:m|mobile)\.")
_VARIANT_HOST = re.compile(r"^(?:(?:www|amp|m|mobile)\.)+(?=[^.]+\.)")


def is_tracking_parameter(name: str, *, extra: frozenset[str] = frozenset()) -> bool:
    """Say whether a query parameter only tells where a visitor came from."""
    lowered = name.lower()
    return lowered in TRACKING_PARAMETERS or lowered in extra or lowered.startswith(TRACKING_PREFIXES)


def normalise_url(url: str, *, tracking_parameters: frozenset[str] = frozenset()) -> str:
    """
    Give the variants of one address one form: https, lower-case host without `www.`, `amp.` or `m.`, sorted query
    without tracking parameters and session ids, no fragment, no AMP prefix, suffix or parameter, no doubled or trailing
    slash, accents composed (NFC).

    The form is an identity, not necessarily an address that answers. A bare name without a scheme is returned as it is.
    A site may tell its articles apart by what is dropped here: see `variant_marks`.

    :param tracking_parameters: Further parameters of this publisher to drop, in lower case.
    :raises ValueError: If the URL cannot be split.
    """
    parts = _split(url)
    if parts is None:
        return url.strip()
    host = _VARIANT_HOST.sub("", (parts.hostname or "").lower())
    port = f":{parts.port}" if parts.port and parts.port not in {80, 443} else ""
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = [pair for pair in pairs if not _is_dropped(*pair, extra=tracking_parameters)]
    return urlunsplit(("https", host + port, _normal_path(parts.path), urlencode(kept), ""))


def variant_marks(url: str, *, tracking_parameters: frozenset[str] = frozenset()) -> tuple[tuple[str, str], ...]:
    """
    Return what `normalise_url` drops of an address although some sites tell their articles apart by it.

    Click ids, campaign names, session ids of servers, scheme, `www.` and a trailing slash are no such marks.

    :param tracking_parameters: Parameters that the publisher file says do not change the page: no marks, either.
    :returns: Pairs of kind and value, sorted: `("ref", "101")` for a parameter, `("/amp", "/amp/a")` and
        `("//", "/news//a")` with the path, `("host", "m.")`. Empty for most addresses.
    :raises ValueError: If the URL cannot be split.
    """
    if _ALREADY_CANONICAL.fullmatch(url) and "amp" not in url and not _MARKED_HOST.match(url):
        return ()
    parts = _split(url)
    return tuple(sorted(_marks(parts, tracking_parameters))) if parts is not None else ()


def exact_url(url: str, *, tracking_parameters: frozenset[str] = frozenset()) -> str:
    """
    Give an address the form that tells it from others with the same `normalise_url` but other `variant_marks`.

    :returns: A name, no address that answers: the normalised form, and the marks behind a blank.
    """
    marks = variant_marks(url, tracking_parameters=tracking_parameters)
    normal = normalise_url(url, tracking_parameters=tracking_parameters)
    return f"{normal} {urlencode(marks)}" if marks else normal


def _split(url: str) -> SplitResult | None:
    """Split an address in canonical form; None for what is none of the web."""
    url = url.strip()
    if not _ALREADY_CANONICAL.fullmatch(url):
        url = canonicalize_url(url if url.isascii() and "%" not in url else _composed(url))
    parts = urlsplit(url)
    return parts if parts.scheme in {"http", "https"} and parts.hostname else None


def _composed(url: str) -> str:
    """Compose accents (NFC), written out or percent-encoded; what is not UTF-8 stays as it is."""
    try:
        text = re.sub(r"(?:%[89A-Fa-f][0-9A-Fa-f])+", lambda found: unquote(found[0], errors="strict"), url)
    except UnicodeDecodeError:
        text = url
    return unicodedata.normalize("NFC", text)


def _is_dropped(name: str, value: str, *, extra: frozenset[str]) -> bool:
    lowered = name.lower()
    if lowered == "amp":
        return value in _AMP_VALUES
    return is_tracking_parameter(name, extra=extra) or _is_session(lowered, value)


def _is_session(name: str, value: str) -> bool:
    by_name = name in _SESSION_NAMES and _SESSION_VALUE.fullmatch(value) is not None
    return by_name or _SESSION_PARAMETERS.fullmatch(name) is not None


def _marks(parts: SplitResult, extra: frozenset[str]) -> Iterator[tuple[str, str]]:
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        lowered = name.lower()
        is_certain = (
            lowered in extra
            or lowered in _CLICK_PARAMETERS
            or lowered.startswith(TRACKING_PREFIXES)
            or _SESSION_PARAMETERS.fullmatch(lowered) is not None
        )
        if not is_certain and _is_dropped(name, value, extra=extra):
            yield lowered, value
    host = _VARIANT_HOST.match((parts.hostname or "").lower())
    if host and (prefix := host[0].replace("www.", "")):
        yield "host", prefix
    path = _SESSION_IN_PATH.sub("", parts.path)
    if _SLASHES.search(path):
        yield "//", path
    plain = _SLASHES.sub("/", path).rstrip("/") or "/"
    if _without_amp(plain) != plain:
        yield "/amp", plain


def _normal_path(path: str) -> str:
    """Drop session ids, doubled slashes, AMP marks and trailing slashes."""
    path = _SESSION_IN_PATH.sub("", path)
    path = _PATH_PARAMETER.sub(lambda found: "" if _is_session(found[1].lower(), found[2]) else found[0], path)
    return _without_amp(_SLASHES.sub("/", path))


def _without_amp(path: str) -> str:
    """Drop AMP marks and trailing slashes, until nothing is left to drop."""
    while (shorter := _AMP_SUFFIX.sub("", _AMP_PREFIX.sub("", path)).rstrip("/") or "/") != path:
        path = shorter
    return path


def article_id(url: str, *, tracking_parameters: frozenset[str] = frozenset()) -> str:
    """Name an article by its address: 16 hexadecimal digits of the SHA-256 of the normalised URL."""
    return hashlib.sha256(normalise_url(url, tracking_parameters=tracking_parameters).encode()).hexdigest()[:16]


def exact_article_id(url: str, *, tracking_parameters: frozenset[str] = frozenset()) -> str:
    """Name an article whose `article_id` belongs to another text: by its `exact_url`. No `article_id` is the same."""
    exact = exact_url(url, tracking_parameters=tracking_parameters)
    return hashlib.sha256(f"{exact}#".encode()).hexdigest()[:16]


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
