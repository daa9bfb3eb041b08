"""Answers by which a site keeps a crawler out: told apart, counted, and never asked for again at once."""

import re
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from scrapy.http import Response

from scraper.rejection import RejectionReason

BLOCKED_IN_A_ROW = 5
"""After so many blocked answers without another between them, the crawl stops."""
_SCANNED_BYTES = 64 * 1024
_CHALLENGE_FIELDS = {b"cf-mitigated": b"challenge", b"x-amzn-waf-action": b""}
"""Header fields of a bot check, and what they hold; blank: anything."""
_CHALLENGE = re.compile(
    rb"_cf_chl_opt|cdn-cgi/challenge-platform|challenges\.cloudflare\.com|<title>\s*just a moment|captcha-delivery\.com"
    rb"|px-captcha|_pxAppId|_Incapsula_Resource|awsWafCookieDomainList|aws-waf-token|ddos-guard|checking your browser"
    rb"|pardon our interruption|verify (?:that )?you are (?:a )?human|are you a robot|(?:h|re)captcha",
    re.IGNORECASE,
)
"""What the bot checks of Cloudflare, DataDome, PerimeterX, Imperva, AWS and others hold."""
_WALL_HOST = re.compile(
    r"^(?:[\w-]*consent|guce|cmp|privacy-?(?:gate|wall)?|myprivacy|gdpr|cookie[\w-]*)\.", re.IGNORECASE
)
_WALL_PATH = re.compile(
    r"/(?:cookie-?)?consent(?:[/?.-]|$)|/(?:privacy|cookie)-?(?:gate|wall)|/collectconsent", re.IGNORECASE
)
_LOGIN_HOST = re.compile(r"^(?:login|signin|sso|auth|accounts?|id)\.", re.IGNORECASE)
_LOGIN_PATH = re.compile(
    r"/(?:log-?in|sign-?in|sso|anmelden|connexion|(?:users?|accounts?)/(?:login|sign_?in))(?:[/?.]|$)", re.IGNORECASE
)


class BlockKind(StrEnum):
    """How a site keeps a crawler out. The values are stable: reports and the crawl state keep them."""

    LOGIN = "login"
    """HTTP 401, or a redirect to a page that asks to sign in."""
    PAYMENT = "payment"
    """HTTP 402: crawlers are to pay."""
    FORBIDDEN = "forbidden"
    """HTTP 403."""
    RATE_LIMITED = "rate_limited"
    """HTTP 429, also after the pauses that were asked for."""
    LEGAL = "legal"
    """HTTP 451: not served where the crawler is."""
    CHALLENGE = "challenge"
    """A page that checks whether a person asks."""
    CONSENT = "consent"
    """A page that asks for consent to cookies before anything is shown."""


SENTENCES = {
    BlockKind.LOGIN: "asks to sign in (HTTP 401)",
    BlockKind.PAYMENT: "asks crawlers for payment (HTTP 402)",
    BlockKind.FORBIDDEN: "forbids access (HTTP 403)",
    BlockKind.RATE_LIMITED: "says that it is asked too often (HTTP 429)",
    BlockKind.LEGAL: "is not served from here for legal reasons (HTTP 451)",
    BlockKind.CHALLENGE: "answers with a bot check",
    BlockKind.CONSENT: "answers with a consent page",
}
"""What a site does, for people."""
WAYS_OUT = {
    BlockKind.LOGIN: "ask the publisher for access",
    BlockKind.PAYMENT: "ask the publisher for a licence",
    BlockKind.FORBIDDEN: "ask the publisher to let the user agent in, or crawl from an address that it knows",
    BlockKind.RATE_LIMITED: "set a longer delay in the publisher file, and crawl again later",
    BlockKind.LEGAL: "crawl from a country in which the site is served",
    BlockKind.CHALLENGE: "ask the publisher to let the user agent in; Looksy does not get around such checks",
    BlockKind.CONSENT: "ask the publisher for pages without it, or for a feed or archive",
}
"""What an owner of the crawler can do."""
_OF_STATUS = {
    401: BlockKind.LOGIN, 402: BlockKind.PAYMENT, 403: BlockKind.FORBIDDEN, 407: BlockKind.LOGIN,
    429: BlockKind.RATE_LIMITED, 451: BlockKind.LEGAL,
}  # fmt: skip
_SUSPECT = frozenset({*_OF_STATUS, 405, 406, 418, 503})
"""Statuses of answers whose content may be a bot check."""
_OF_REJECTION = {RejectionReason.BLOCKED: BlockKind.CHALLENGE, RejectionReason.CONSENT: BlockKind.CONSENT}


def find_block(response: Response) -> BlockKind | None:
    """Say how an answer keeps the crawler out; None if it does not, or only its text can tell."""
    for name, value in _CHALLENGE_FIELDS.items():
        field = response.headers.get(name)
        if field and value in field.lower():
            return BlockKind.CHALLENGE
    if response.status in _SUSPECT and _CHALLENGE.search(response.body[:_SCANNED_BYTES]):
        return BlockKind.CHALLENGE
    return _OF_STATUS.get(response.status)


def find_wall(url: str) -> BlockKind | None:
    """Say what kind of wall an address belongs to that a page redirected to; None if it looks like none."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    if _WALL_HOST.match(host) or _WALL_PATH.search(parts.path):
        return BlockKind.CONSENT
    return BlockKind.LOGIN if _LOGIN_HOST.match(host) or _LOGIN_PATH.search(parts.path) else None


def block_of(reason: RejectionReason) -> BlockKind | None:
    """Say what kind of block a page was that was read and rejected; None if it was another page."""
    return _OF_REJECTION.get(reason)


class BlockCounter:
    """
    Counts blocked answers, and says when to stop.

    :param is_known: The site was blocked when it was crawled last: then one blocked answer is enough.
    """

    def __init__(self, *, is_known: bool) -> None:
        self.is_known = is_known
        self.in_a_row = 0
        self.kind: BlockKind | None = None
        """Of the last blocked answer."""
        self.since: datetime | None = None
        """Of the first blocked answer of the row."""
        self._was_let_in = False

    @property
    def holds(self) -> bool:
        """The site keeps the crawler out, as far as it was asked."""
        is_long = self.in_a_row >= BLOCKED_IN_A_ROW or not self._was_let_in or self.is_known
        return self.in_a_row > 0 and (is_long or self.kind is BlockKind.RATE_LIMITED)

    def blocked(self, kind: BlockKind, *, now: datetime) -> bool:
        """Count a blocked answer, and say whether the crawl is to stop."""
        self.since = self.since if self.in_a_row else now
        self.in_a_row += 1
        self.kind = kind
        return self.is_known or kind is BlockKind.RATE_LIMITED or self.in_a_row >= BLOCKED_IN_A_ROW

    def let_in(self) -> None:
        """Note an answer that brought what was asked for."""
        self.in_a_row = 0
        self.is_known = False
        self._was_let_in = True
