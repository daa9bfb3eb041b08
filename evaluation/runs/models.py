"""What a run keeps: items with their gold, predictions as they came, and a manifest that says from what."""

from typing import Any, Generic, TypeVar

from pydantic import Field

from core.types import Failure, Model, Status, UtcTime


class Item(Model):
    """One thing to predict for. Each task adds its gold."""

    id: str
    text: str
    """The query, question or claim."""


class Output(Model):
    """What was predicted for one item. Each task adds its fields."""


OutputT = TypeVar("OutputT", bound=Output)
ItemT = TypeVar("ItemT", bound=Item)


class Prediction(Model, Generic[OutputT]):
    """One saved prediction, or why there is none."""

    id: str
    """Of the item."""
    repeat: int = 0
    """0 for the first time the item was asked, 1 for the second, ..."""
    status: Status
    """ok, or failed; what a system found is in the output."""
    output: OutputT | None = None
    """None exactly when failed."""
    failure: Failure | None = None
    duration_ms: float = 0.0
    """0: it was made together with others and has no time of its own."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    run_record: str | None = None
    """File of the answer's run record, below the run's folder."""


class DataInfo(Model):
    """The data that a run was made on."""

    path: str
    sha256: str
    """Over all files read."""
    items: int
    format: str
    corpus_articles: int | None = None
    index_snapshot: str | None = None
    """Of the user's own index, where that was searched."""


class Manifest(Model):
    """What a run is: enough to resume it, score it again and compare it."""

    run_id: str
    task: str
    title: str
    """For reports: task, system, data."""
    created_at: UtcTime
    version: str
    data: DataInfo
    system: str
    """What predicted: a retriever, a reader, a system with its mode."""
    options: dict[str, Any] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    """Without secrets."""
    repeats: int = 1
    notes: tuple[str, ...] = ()
    """Warnings about the data."""
    fingerprint: str
    """Same data, system, options, settings and code: same fingerprint."""
