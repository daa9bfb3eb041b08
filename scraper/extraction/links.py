"""The address under which an article is known."""

from urllib.parse import urljoin, urlsplit

from core.urls import ascii_host, has_login
from scraper.extraction.page import Page


def read_canonical(page: Page, *, trusted_hosts: frozenset[str]) -> str:
    """
    Return the page's own address for itself, if it may be believed; else the address it was fetched from.

    A page may name only its own host or one that the publisher's file names: it must not pass for another site's.

    :param trusted_hosts: Hosts beside the page's own, without `www.`, in lower case and ASCII.
    """
    base = _join(page.url, "".join(page.tree.xpath("//base/@href")[:1]).strip()) or page.url
    links = (link for link in page.tree.iter("link") if "canonical" in (link.get("rel") or "").lower().split())
    named = [href for link in links if (href := link.get("href"))]
    for value in (*named[:3], page.meta_text("og:url")):
        address = _join(base, value.strip())
        if address and _is_acceptable(address, page=page, trusted_hosts=trusted_hosts):
            return address
    return page.url


def _join(base: str, link: str) -> str:
    """Resolve a link; empty if it is blank or not an address."""
    try:
        return urljoin(base, link) if link else ""
    except ValueError:
        return ""


def _is_acceptable(address: str, *, page: Page, trusted_hosts: frozenset[str]) -> bool:
    try:
        parts, own = urlsplit(address), urlsplit(page.url)
        _ = parts.port
    except ValueError:
        return False
    if parts.scheme not in {"http", "https"} or not parts.hostname or has_login(address):
        return False
    if parts.path in {"", "/"} and own.path not in {"", "/"}:  # a site whose template names its front page everywhere
        return False
    return bare_host(ascii_host(parts.hostname)) in trusted_hosts | {bare_host(ascii_host(own.hostname or ""))}


def bare_host(host: str) -> str:
    """Return a host without the prefixes under which sites repeat themselves."""
    host = host.lower()
    for prefix in ("www.", "amp.", "m.", "mobile."):
        host = host.removeprefix(prefix)
    return host
