"""A benchmark as its YAML file writes it."""

from pydantic import Field

from core.types import Model


class Entry(Model):
    """One evaluation of a benchmark."""

    label: str
    task: str
    """As `looksy evaluate` names it."""
    data: str = "sample"
    """sample, checklist or claims (bundled), a path below one (`sample/...`), or one below --data-root (`root/...`)."""
    split: str | None = None
    retriever: str | None = None
    mode: str | None = None
    limit: int | None = None
    threshold: float | None = None
    options: dict[str, str] = Field(default_factory=dict)
    """Of the system, for a task that asks one."""


class Published(Model):
    """Figures that others reported."""

    label: str
    measures: dict[str, float]
    """By our name of the measure, or by theirs where we have none."""


class Suite(Model):
    """One file of `configs/benchmarks/`."""

    name: str
    title: str
    about: str
    """What is measured, and how it differs from the published task."""
    show: tuple[str, ...]
    """Measures to print, in this order."""
    entries: tuple[Entry, ...]
    published: tuple[Published, ...] = ()
    source: str = ""
    """Where the published figures are from."""
    notes: tuple[str, ...] = Field(default=())


class EntryResult(Model):
    """What one evaluation gave."""

    label: str
    run_id: str | None
    measures: dict[str, tuple[float | None, float | None, float | None]] = Field(default_factory=dict)
    """Name to value, low, high."""
    n: int = 0
    failed: int = 0
    mean_ms: float | None = None
    data_sha256: str = ""
    skipped: str = ""
    """Why it was not run; empty: it was."""
    fault: str = ""
    """Why it gave nothing though it was to run; empty: it gave something."""
