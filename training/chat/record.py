"""What a build of an adapter did and what its replies score, as it is kept beside the adapter."""

from core.types import Model
from training.chat.recipe import LoraRecipe

TUNING = "tuning.json"


class StageRecord(Model):
    """What a stage did."""

    steps: int
    rows: int
    """Examples or pairs that it learned from."""
    first: dict[str, float]
    """Figures of its first report, by name."""
    last: dict[str, float]
    """Of its last."""


class Origin(Model):
    """What an adapter comes from; a build goes on only with the same."""

    recipe: LoraRecipe
    base: str
    """SHA-256 over the base model's weights."""
    data: str
    """SHA-256 of the data file."""
    prompt: str
    """Name, version and hash of the prompt."""
    judges: dict[str, str]
    """Role to name and hash of the models that judge."""


class Figures(Model):
    """What the likeliest replies to the held-out lessons score."""

    model: str
    """base, supervised or preference."""
    n: int
    sound: float
    """Share of the replies that the system would return."""
    value: float
    """Mean of what they are worth."""
    scores: dict[str, float]
    """Means by name, over the replies that could be read."""
    readable: int
    """Replies that could be read."""


class TuningRecord(Model):
    """What a build did."""

    origin: Origin
    lessons: int
    """Claims that were learned from."""
    supervised: StageRecord
    preference: StageRecord | None
    """None: no pair was far enough apart, and the adapter is that of the first stage."""
    notes: tuple[str, ...]
    """What was left out, and why."""
    measured_on: str
    figures: tuple[Figures, ...]
    device: str
    versions: dict[str, str]
