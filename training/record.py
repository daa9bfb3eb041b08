"""What a build did and what its model scores, as they are kept beside the model."""

from core.types import Model
from training.recipe import Recipe

BUILD, SCORES = "build.json", "scores.json"


class Parity(Model):
    """How far the graphs' relation probabilities are from the network's, on the same rows."""

    rows: int
    fp32: float
    """Largest difference, 0 to 1."""
    int8: float
    """Mean difference, 0 to 1."""
    int8_agrees: float
    """Share of rows with the same relation."""


class BuildRecord(Model):
    """What a build did."""

    recipe: Recipe
    steps: int
    minutes: float
    """Of the last sitting, reading of the data included."""
    device: str
    bfloat16: bool
    torch: str
    started_from: str | None
    """SHA-256 of the weights gone on from; None: the base model."""
    parity: Parity
    validation: dict[str, float]
    """What was measured last while training."""


class Score(Model):
    """One line of the card's table."""

    what: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int
