"""From saved predictions and their scores to a report."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.types import Status
from evaluation.reports.models import Bar, BarFigure, FailedItem, Report, Scores, Timing
from evaluation.runs.models import Manifest, Prediction


def build_report(manifest: Manifest, predictions: Sequence[Prediction[Any]], scores: Scores) -> Report:
    """Put the run, its failures, its timing and its scores together."""
    failures = tuple(
        FailedItem(
            id=prediction.id,
            repeat=prediction.repeat,
            code=prediction.failure.code if prediction.failure else "unknown",
            message=prediction.failure.message if prediction.failure else "",
        )
        for prediction in predictions
        if prediction.status is Status.FAILED
    )
    notes = [*manifest.notes, *scores.notes]
    expected = manifest.data.items * manifest.repeats
    if len(predictions) < expected:
        notes.insert(
            0, f"{expected - len(predictions)} of {expected} items are not predicted yet: the run is unfinished."
        )
    if failures:
        notes.insert(
            0,
            f"{len(failures)} of {len(predictions)} predictions failed. They are listed, and no measure counts them as "
            "right or wrong: each figure's n says how many items it is over.",
        )
    timing = _timing(predictions)
    return Report(
        run=manifest,
        measures=scores.measures,
        failed=len(failures),
        failures=failures,
        timing=timing,
        headline=scores.headline,
        definitions=scores.definitions,
        tables=scores.tables,
        figures=(*scores.figures, *_time_figure(timing)),
        notes=tuple(notes),
        details=scores.details,
        per_item=scores.per_item,
        item_scores=scores.item_scores,
    )


def _time_figure(timing: Timing | None) -> tuple[BarFigure, ...]:
    if timing is None:
        return ()
    named = (("mean", timing.mean_ms), ("median", timing.median_ms), ("95th percentile", timing.p95_ms))
    bars = tuple(Bar(label=label, value=value) for label, value in named)
    return (BarFigure(title="Time per item", bars=bars, unit=" ms", note=f"n = {timing.n}, on this machine."),)


def _timing(predictions: Sequence[Prediction[Any]]) -> Timing | None:
    durations = [one.duration_ms for one in predictions if one.status is Status.OK and one.duration_ms > 0]
    if not durations:
        return None
    tokens_in = [prediction.tokens_in for prediction in predictions if prediction.tokens_in is not None]
    tokens_out = [prediction.tokens_out for prediction in predictions if prediction.tokens_out is not None]
    return Timing(
        mean_ms=float(np.mean(durations)),
        median_ms=float(np.median(durations)),
        p95_ms=float(np.quantile(durations, 0.95)),
        n=len(durations),
        tokens_in=sum(tokens_in) if tokens_in else None,
        tokens_out=sum(tokens_out) if tokens_out else None,
    )
