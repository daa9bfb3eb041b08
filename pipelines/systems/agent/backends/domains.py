"""Which sites may be evidence: a list of those that may not, and one of those that alone may."""

import re
from collections.abc import Sequence

from core.errors import InputError
from core.urls import ascii_host, ascii_hostname
from pipelines.systems.agent.backends.contract import Found

_DOMAIN = re.compile(r"^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$")


def read_domains(text: str, *, field: str) -> tuple[str, ...]:
    """
    Read domains that commas or blanks part.

    :raises InputError: If one of them is not a domain.
    """
    domains = tuple(ascii_host(part.lower().removeprefix("www.")) for part in re.split(r"[,\s]+", text.strip()) if part)
    for domain in domains:
        if not _DOMAIN.match(domain):
            raise InputError(
                f"{field} holds {domain[:60]!r}, which is not a domain", field=field, hint="Write example.org."
            )
    return domains


def is_under(url: str, domains: Sequence[str]) -> bool:
    """Say whether an address lies in one of the domains or under it."""
    host = ascii_hostname(url)
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def sifted(found: Found, *, block: Sequence[str], allow: Sequence[str]) -> Found:
    """Drop what is blocked, or not allowed where anything is."""
    kept = tuple(
        document
        for document in found.documents
        if not is_under(url := found.articles[document.id].url, block) and (not allow or is_under(url, allow))
    )
    dropped = len(found.documents) - len(kept)
    articles = {document.id: found.articles[document.id] for document in kept}
    blocked = {one.article_id for one in found.articles.values()} - {one.article_id for one in articles.values()}
    return Found(documents=kept, articles=articles, left_out=found.left_out + dropped, blocked=len(blocked))
