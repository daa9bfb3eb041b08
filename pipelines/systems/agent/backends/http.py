"""SearXNG and Brave over HTTP. No redirect is followed, and no address that a result names is opened."""

import html
import json
import re
import time
from typing import Any

import httpx

from core.errors import ConfigError, InputError, UnavailableError
from core.keys import header_key
from core.requests import parse_time
from core.settings import Settings
from pipelines.systems.agent.backends.contract import Found, Hit, Search, found_of

BRAVE_URL = "https://api.search.brave.com"
MAX_BYTES = 4_000_000
_TAG = re.compile(r"<[^<>]{1,200}>")
_OK = 200
_MOST_NAMED = 200
"""Characters of what a server says of its engines."""


class SearxngBackend:
    """
    Ask a SearXNG instance that gives JSON.

    Source: https://docs.searxng.org/dev/search_api.html

    :param settings: `search_url` must be set.
    :raises ConfigError: If it is not.
    """

    def __init__(self, settings: Settings) -> None:
        self.name = "searxng"
        if not settings.search_url:
            raise ConfigError(
                "search_backend is searxng, and search_url is not set",
                field="search_url",
                hint="Set LOOKSY_SEARCH_URL to the address of the instance.",
            )
        self._url = f"{settings.search_url.rstrip('/')}/search"
        self._key = header_key(settings.search_api_key, field="search_api_key")
        self._timeout_s = settings.search_timeout

    def search(self, search: Search) -> Found:
        """Search once."""
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        answer = _get(self._url, {"q": search.query, "format": "json"}, headers, timeout_s=self._timeout_s)
        hits = _hits(answer.get("results"), text="content", date="publishedDate", url=self._url)
        if not hits and (silent := _unresponsive(answer)):
            raise _unavailable(self._url, f"its engines did not answer: {', '.join(silent)[:_MOST_NAMED]}")
        return found_of(hits, search)


class BraveBackend:
    """
    Ask the Brave Search API.

    Source: https://api-dashboard.search.brave.com/app/documentation/web-search

    :param settings: `search_api_key` must be set.
    :raises ConfigError: If it is not.
    """

    def __init__(self, settings: Settings) -> None:
        self.name = "brave"
        key = header_key(settings.search_api_key, field="search_api_key")
        if key is None:
            raise ConfigError(
                "search_backend is brave, and search_api_key is not set",
                field="search_api_key",
                hint="Set LOOKSY_SEARCH_API_KEY.",
            )
        self._url = f"{(settings.search_url or BRAVE_URL).rstrip('/')}/res/v1/web/search"
        self._key = key
        self._timeout_s = settings.search_timeout

    def search(self, search: Search) -> Found:
        """Search once."""
        headers = {"X-Subscription-Token": self._key, "Accept": "application/json"}
        answer = _get(self._url, {"q": search.query[:400], "count": "20"}, headers, timeout_s=self._timeout_s)
        web = answer.get("web")
        has_none = web is None and answer.get("type") == "search"
        rows = [] if has_none else web.get("results") if isinstance(web, dict) else None
        return found_of(_hits(rows, text="description", date="page_age", url=self._url), search)


def _get(url: str, params: dict[str, str], headers: dict[str, str], *, timeout_s: float) -> dict[str, Any]:
    """
    Ask for JSON.

    :raises UnavailableError: If there is no answer of status 200 that holds an object.
    """
    try:
        with (
            httpx.Client(timeout=timeout_s, follow_redirects=False) as client,
            client.stream("GET", url, params=params, headers=headers) as answer,
        ):
            if answer.status_code != _OK:
                raise _unavailable(url, f"it answers {answer.status_code}")
            content = json.loads(_read(answer, url, timeout_s=timeout_s))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
        raise _unavailable(url, f"{type(error).__name__}: {error}") from error
    if not isinstance(content, dict):
        raise _unavailable(url, "its answer is not a JSON object")
    return content


def _read(answer: httpx.Response, url: str, *, timeout_s: float) -> bytes:
    """Read a body; the client's own time-out begins again with every byte."""
    deadline = time.monotonic() + timeout_s
    body = bytearray()
    for piece in answer.iter_bytes():
        body += piece
        if len(body) > MAX_BYTES:
            raise _unavailable(url, f"its answer is longer than {MAX_BYTES} bytes")
        if time.monotonic() > deadline:
            raise _unavailable(url, f"it did not finish its answer within {timeout_s:g} s")
    return bytes(body)


def _unavailable(url: str, why: str) -> UnavailableError:
    return UnavailableError(
        f"the search at {url} failed: {why}",
        field="search_url",
        hint="Check LOOKSY_SEARCH_URL and LOOKSY_SEARCH_API_KEY, or search the store.",
    )


def _unresponsive(answer: dict[str, Any]) -> list[str]:
    """Name the engines that a SearXNG instance asked in vain, each with its reason."""
    engines = answer.get("unresponsive_engines")
    found = engines if isinstance(engines, list) else []
    return [" ".join(map(str, one)) if isinstance(one, list) else str(one) for one in found]


def _hits(rows: object, *, text: str, date: str, url: str) -> list[Hit]:
    """
    Make hits of results; those without title, address or excerpt are left out.

    :param text: Name of the excerpt; `date`: of the date.
    :raises UnavailableError: If that is not a list, or one of which no result has all three: nothing was found out.
    """
    if not isinstance(rows, list):
        raise _unavailable(url, "its answer has no list of results")
    hits = [hit for row in rows if isinstance(row, dict) and (hit := _hit(row, text=text, date=date)) is not None]
    if rows and not hits:
        raise _unavailable(url, f"none of its {len(rows)} results has title, url and {text}")
    return hits


def _hit(row: dict[str, Any], *, text: str, date: str) -> Hit | None:
    """Make a hit of a result; None where it has no title, address or excerpt. A date that is none is left out."""
    title, url, excerpt = row.get("title"), row.get("url"), row.get(text)
    if not (isinstance(title, str) and isinstance(url, str) and isinstance(excerpt, str)):
        return None
    return Hit(title=_plain(title), url=url, text=_plain(excerpt), published_at=time_of(row.get(date)))


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub("", text))


def time_of(value: object) -> Any:
    """Return the time that a result names; None where it names none that can be read."""
    if not isinstance(value, str) or not value:
        return None
    try:
        return parse_time(value, field="published_at")
    except InputError:
        return None
