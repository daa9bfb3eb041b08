"""What people ask of the service in a day: some answers, and around them searches, runs, articles and pages."""

import random
import threading
from collections import deque
from collections.abc import Iterable
from urllib.parse import urlencode

ANSWER = "answer"
SHARES = {ANSWER: 2, "search": 6, "link": 8, "page": 9}
"""Of 25 requests."""
PAGES = (
    "/",
    "/runs",
    "/coverage",
    "/docs",
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/static/app.css",
    "/v1/jobs",
    "/v1/runs",
    "/v1/sources",
    "/v1/systems",
)
MOST_LINKS = 200
"""Of the latest answers: older runs may be gone."""


class Traffic:
    """
    Requests without end, in an order that the seed fixes. Thread-safe.

    :param queries: Texts that are asked and searched for.
    :param answers_only: Ask for nothing but answers.
    """

    def __init__(self, queries: list[str], *, answers_only: bool = False, seed: int = 1) -> None:
        self.queries = queries
        self.shares = {ANSWER: 1} if answers_only else SHARES
        self._chance = random.Random(seed)
        self._links: deque[str] = deque(maxlen=MOST_LINKS)
        self._lock = threading.Lock()

    def next(self) -> tuple[str, str]:
        """Return the kind of the next request and, for an answer, its text, else its path."""
        with self._lock:
            kind = self._chance.choices(list(self.shares), list(self.shares.values()))[0]
            if kind == "link" and not self._links:
                kind = "page"
            if kind == "link":
                return kind, self._chance.choice(self._links)
            if kind == "page":
                return kind, self._chance.choice(PAGES)
            text = self._chance.choice(self.queries)
            return kind, text if kind == ANSWER else f"/v1/search?{urlencode({'q': text})}"

    def follow(self, run_id: str, article_ids: Iterable[str]) -> None:
        """Note where an answer leads to: its run, and the articles that it quotes, for programs and for people."""
        with self._lock:
            for folder, names in (("runs", (run_id,)), ("articles", article_ids)):
                self._links += [f"{prefix}/{folder}/{name}" for name in names for prefix in ("/v1", "")]
