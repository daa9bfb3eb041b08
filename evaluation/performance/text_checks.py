"""
Rate of checking a whole text on the bundled sample, against asking its claims one after the other.

`python -m evaluation.performance.text_checks --data-dir var/demo` composes a speech of the sample's statements and of
sentences that state nothing, checks it, and asks some of its claims singly. It prints claims a minute, the share of
each stage, and how many times faster the check is: by the clock, and in processor time, which is fairer where other
programs run.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from core.paths import SAMPLE
from core.types import Model, QueryKind, Request
from evaluation.data.formats.claims import read_claims
from evaluation.data.formats.marked_texts import read_marked_texts
from evaluation.performance.systems import open_sample
from evaluation.reports.stage_times import stage_shares
from evaluation.tasks.claims.compose import compose_texts, empty_sentences
from evaluation.tasks.claims.run import MARKED
from pipelines.engine import Engine
from pipelines.systems.check import CheckRequest, TextChecker

WORDS = 2000
SINGLE = 24
"""Claims that are asked one after the other."""


class Spent(Model):
    """Time that something took."""

    wall_s: float
    cpu_s: float
    """Of this process, all threads."""


class CheckRate(Model):
    """What checking a text took."""

    words: int
    claims: int
    """Judged, each wording once."""
    text: Spent
    single: Spent
    """For one claim that is asked alone, on average."""
    shares: dict[str, float]
    """Stage to its share of the check's time."""

    @property
    def claims_per_minute(self) -> float:
        """Return how many claims are judged in a minute."""
        return 60.0 * self.claims / self.text.wall_s

    @property
    def times_faster(self) -> tuple[float, float]:
        """Return how many times faster it is than asking one claim after the other: by the clock, by the processor."""
        return (
            self.single.wall_s * self.claims / self.text.wall_s,
            self.single.cpu_s * self.claims / self.text.cpu_s,
        )


def speech(words: int) -> str:
    """Compose a text of so many words, or of all statements where these have fewer."""
    statements = read_claims(SAMPLE / "retold.jsonl")
    paragraphs: list[str] = []
    for text in compose_texts(statements, empty_sentences(read_marked_texts(MARKED))):
        for paragraph in text.text.split("\n\n"):
            paragraphs.append(paragraph)
            if len(" ".join(paragraphs).split()) >= words:
                return "\n\n".join(paragraphs)
    return "\n\n".join(paragraphs)


def measure(engine: Engine, text: str, *, single: int = SINGLE) -> CheckRate:
    """
    Check a text, and ask some of its claims alone.

    :param single: Claims to ask alone, from all over the text.
    """
    checker, request = TextChecker(engine), CheckRequest(text=text)
    begun = checker.start(request)
    asked = list(dict.fromkeys(claim.standalone for claim in begun.claims if not claim.why))
    _ask(engine, asked[:1])  # loads models and store
    some = asked[:: max(1, len(asked) // single)][:single]
    alone = _Clock()
    _ask(engine, some)
    single_s = alone.spent(shares=len(some))
    clock = _Clock()
    checked = checker.check(request)
    return CheckRate(
        words=checked.summary.words,
        claims=len(asked),
        text=clock.spent(),
        single=single_s,
        shares=stage_shares([checked.timings]),
    )


def _ask(engine: Engine, texts: Sequence[str]) -> None:
    for text in texts:
        engine.run("verify", Request(text=text, kind=QueryKind.STATEMENT))


class _Clock:
    """Runs from when it is made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def spent(self, *, shares: int = 1) -> Spent:
        """Return the time since, divided by a number of things that were done in it."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return Spent(wall_s=wall / shares, cpu_s=cpu / shares)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=Path, help="with an index of the sample; none: one is made for the time")
    parser.add_argument("--words", type=int, default=WORDS, help="of the text")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        engine = open_sample(given.data_dir or Path(scratch))
        rate = measure(engine, speech(given.words))
        engine.close()
    by_clock, by_processor = rate.times_faster
    shares = ", ".join(f"{name} {value:.0%}" for name, value in rate.shares.items())
    print(f"{rate.words} words, {rate.claims} claims: {rate.text.wall_s:.1f} s, processor {rate.text.cpu_s:.1f} s")
    print(f"{rate.claims_per_minute:.0f} claims a minute; one claim alone {rate.single.wall_s:.2f} s")
    print(f"{by_clock:.1f} times the rate of one after the other by the clock, {by_processor:.1f} in processor time")
    print(f"stages: {shares}")


if __name__ == "__main__":
    main()
