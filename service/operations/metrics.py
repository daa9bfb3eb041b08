"""Counts and times in Prometheus' text format (version 0.0.4)."""

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping

from core.types import Result

BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_Labels = tuple[tuple[str, str], ...]


class Metrics:
    """Counts what the service does. Thread-safe; labels come from fixed sets, never from what users type."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counters: dict[str, dict[_Labels, float]] = defaultdict(lambda: defaultdict(float))
        self._times: dict[str, dict[_Labels, _Histogram]] = defaultdict(lambda: defaultdict(_Histogram))

    def count(self, name: str, **labels: str) -> None:
        """Add one to a counter."""
        with self._lock:
            self._counters[name][tuple(sorted(labels.items()))] += 1

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        """Add a duration to a histogram."""
        with self._lock:
            self._times[name][tuple(sorted(labels.items()))].add(seconds)

    def count_result(self, result: Result) -> None:
        """Count a result by status, verdict and reason of failure, and its stages' times."""
        verdict = result.verdict.value if result.verdict else "none"
        self.count("looksy_results_total", system=result.system, status=result.status.value, verdict=verdict)
        if result.failure is not None:
            self.count("looksy_failures_total", system=result.system, code=result.failure.code)
        for stage, milliseconds in result.timings.items():
            self.observe("looksy_stage_seconds", milliseconds / 1000, stage=stage)

    def render(self, gauges: Mapping[str, float]) -> str:
        """
        Write everything.

        :param gauges: Values of now, by name; a name may carry labels, `name{label="value"}`.
        """
        lines: list[str] = []
        with self._lock:
            for name, series in sorted(self._counters.items()):
                lines.append(f"# TYPE {name} counter")
                lines += [f"{name}{_braces(labels)} {_number(value)}" for labels, value in sorted(series.items())]
            for name, histograms in sorted(self._times.items()):
                lines.append(f"# TYPE {name} histogram")
                for labels, histogram in sorted(histograms.items()):
                    lines += histogram.lines(name, labels)
        told = ""
        for name, value in sorted(gauges.items(), key=lambda pair: pair[0].partition("{")):
            family = name.partition("{")[0]
            lines += [f"# TYPE {family} gauge"] if family != told else []
            lines.append(f"{name} {_number(value)}")
            told = family
        return "\n".join(lines) + "\n"


class _Histogram:
    def __init__(self) -> None:
        self.counts = [0] * len(BUCKETS_S)
        self.count = 0
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.count += 1
        self.sum += seconds
        for index, bound in enumerate(BUCKETS_S):
            self.counts[index] += seconds <= bound

    def lines(self, name: str, labels: _Labels) -> Iterable[str]:
        for bound, count in zip(BUCKETS_S, self.counts, strict=True):
            yield f"{name}_bucket{_braces((*labels, ('le', f'{bound:g}')))} {count}"
        yield f"{name}_bucket{_braces((*labels, ('le', '+Inf')))} {self.count}"
        yield f"{name}_sum{_braces(labels)} {self.sum:.6f}"
        yield f"{name}_count{_braces(labels)} {self.count}"


def _number(value: float) -> str:
    """Write a number with all its digits."""
    return f"{value:.0f}" if float(value).is_integer() else repr(float(value))


def _braces(labels: _Labels) -> str:
    if not labels:
        return ""
    written = ",".join(f'{name}="{_escape(value)}"' for name, value in labels)
    return "{" + written + "}"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
