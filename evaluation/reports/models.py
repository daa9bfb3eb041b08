"""A report as data. Every writer (JSON, Markdown, HTML, LaTeX) starts from it."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from core.types import Model
from evaluation.measures.values import ItemValues, MeasureValue
from evaluation.runs.models import Manifest

Cell = str | float | int | None


class Table(Model):
    """Rows under a title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


class Bar(Model):
    """One bar with its interval."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


class BarFigure(Model):
    """Bars from 0 to `maximum`."""

    kind: Literal["bars"] = "bars"
    title: str
    bars: tuple[Bar, ...]
    maximum: float | None = None
    """None: as the values need."""
    unit: str = ""
    note: str = ""


class Line(Model):
    """One line of a line figure."""

    label: str
    points: tuple[tuple[float, float], ...]
    """x and y, by rising x."""
    spread: tuple[tuple[float, float], ...] = ()
    """Lower and upper end of the interval at each point; empty: none is drawn."""


class LineFigure(Model):
    """Lines over two axes."""

    kind: Literal["lines"] = "lines"
    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)
    x_ticks: tuple[float, ...] = ()
    """Where to write numbers; empty: six, evenly."""
    diagonal: bool = False
    """Draw y = x: perfect calibration."""
    weights: tuple[tuple[float, float], ...] = ()
    """x and share of the items there, drawn as bars from below."""
    note: str = ""


class MatrixFigure(Model):
    """Counts by true (rows) and predicted (columns) label."""

    kind: Literal["matrix"] = "matrix"
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    note: str = ""


Figure = Annotated[BarFigure | LineFigure | MatrixFigure, Field(discriminator="kind")]


class Mark(StrEnum):
    """How a line of the drill-down stands to the gold."""

    RIGHT = "right"
    WRONG = "wrong"
    NEUTRAL = "neutral"


class DetailLine(Model):
    """One line of the drill-down: a ranked article, a quote, an answer."""

    label: str
    text: str
    mark: Mark = Mark.NEUTRAL


class ItemDetail(Model):
    """One item of the drill-down."""

    id: str
    text: str
    lines: tuple[DetailLine, ...]
    failed: bool = False
    run_records: tuple[str, ...] = ()
    """Files below the run's folder; one a repeat."""


class FailedItem(Model):
    """One item without prediction."""

    id: str
    repeat: int = 0
    code: str
    message: str


class Definition(Model):
    """What a measure means."""

    name: str
    definition: str
    source: str


class Scores(Model):
    """What scoring a run gives, before it is a report."""

    measures: dict[str, MeasureValue]
    per_item: ItemValues = Field(default_factory=dict)
    item_scores: ItemValues = Field(default_factory=dict)
    """What the system itself gave to each item, as the probabilities of a verifier, for measures of one's own."""
    headline: tuple[str, ...] = ()
    """Measures to show first and as bars."""
    definitions: tuple[Definition, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    details: tuple[ItemDetail, ...] = ()
    notes: tuple[str, ...] = ()


class Timing(Model):
    """Time and tokens of the predictions."""

    mean_ms: float
    median_ms: float
    p95_ms: float
    n: int
    tokens_in: int | None = None
    tokens_out: int | None = None


class Report(Model):
    """Everything a reader of a run wants to know; `report.json` without the per-item parts."""

    run: Manifest
    measures: dict[str, MeasureValue]
    failed: int
    missing: int = 0
    """Predictions that were not made yet when the run was scored."""
    failures: tuple[FailedItem, ...]
    timing: Timing | None = None
    headline: tuple[str, ...] = ()
    definitions: tuple[Definition, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    details: tuple[ItemDetail, ...] = Field(default=(), exclude=True)
    per_item: ItemValues = Field(default_factory=dict, exclude=True)
    item_scores: ItemValues = Field(default_factory=dict, exclude=True)
