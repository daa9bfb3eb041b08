"""How many requests a key or an address may send."""

import math
import time
from collections.abc import Callable

from core.errors import RateLimitError

MAX_BUCKETS = 10_000
SECONDS = 60
WRONG_KEYS_PER_MINUTE = 20


class Rates:
    """
    A bucket of requests for each key or address, filled evenly.

    :param per_minute: Size of the bucket, and what flows in within a minute.
    :param whose: Who is told to wait.
    :param clock: Seconds; monotonic.
    """

    def __init__(
        self, per_minute: int, *, whose: str = "This key", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.whose = whose
        self.per_minute = per_minute
        self.clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> None:
        """
        Take one request out of a bucket.

        :raises RateLimitError: If it is empty.
        """
        now = self.clock()
        left, at = self._buckets.get(name, (float(self.per_minute), now))
        left = min(float(self.per_minute), left + (now - at) * self.per_minute / 60)
        if left < 1:
            raise RateLimitError(
                f"{self.whose} may send {self.per_minute} requests a minute.",
                retry_after=math.ceil((1 - left) * 60 / self.per_minute),
            )
        if len(self._buckets) >= MAX_BUCKETS:
            self._forget(now)
        self._buckets[name] = (left - 1, now)

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again; if that is not enough, all of them: memory stays bounded."""
        self._buckets = {name: (left, at) for name, (left, at) in self._buckets.items() if now - at < SECONDS}
        if len(self._buckets) >= MAX_BUCKETS:
            self._buckets.clear()
