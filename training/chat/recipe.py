"""The recipe of a LoRA adapter."""

from typing import Literal

from pydantic import Field, PositiveFloat, PositiveInt

from core.types import Model, Probability


class Lora(Model):
    """Size of the adapter."""

    rank: PositiveInt
    alpha: PositiveInt
    """The adapter's output is multiplied by alpha / rank."""
    dropout: Probability = 0.05
    targets: tuple[str, ...] = Field(min_length=1)
    """Layers that get one, by the last part of their names."""


class Steps(Model):
    """A stage of training: AdamW, a short rise of the rate, then a cosine down to nothing."""

    steps: PositiveInt
    rate: PositiveFloat
    """Highest rate."""
    warmup: int = Field(ge=0)
    """Steps of rising."""
    batch: PositiveInt
    """Rows that are in memory together."""
    accumulate: PositiveInt = 1
    """Batches a step."""


class Preference(Steps):
    """The second stage: candidates are sampled, scored and paired; the better of each pair is made likelier (DPO)."""

    candidates: int = Field(ge=2)
    """Replies sampled for each claim."""
    claims_together: PositiveInt = 4
    """Claims that are sampled for in one batch."""
    temperature: PositiveFloat
    margin: Probability
    """A pair's better reply must be worth at least so much more; below it there is no pair."""
    beta: PositiveFloat
    """The higher, the nearer the model stays to the first stage."""
    anchor: float = Field(ge=0)
    """Weight of the first stage's loss on the better replies beside DPO's: else both of a pair can become unlikely."""


class LoraRecipe(Model):
    """All that decides what the adapter becomes, beside base model and data."""

    kind: Literal["lora"]
    name: str
    title: str
    base: str
    """Owner/name on the hub, as `looksy models pull` fetched it, or a folder."""
    seed: int
    lora: Lora
    supervised: Steps
    preference: Preference
    max_tokens: PositiveInt
    """Prompt and reply together; longer ones are left out."""
    reply_tokens: PositiveInt
    """Longest reply that is sampled."""
    held_out: Probability
    """Share of the claims that is measured on and not learned from."""
    compose: bool = True
    """Claims without a good reply of a person are learned with the best reply that plain code puts together."""
    save_every: PositiveInt = 25
    """Steps between checkpoints."""
    gradient_checkpointing: bool = True
    """Less memory for a quarter to a third more time."""
    limits: tuple[str, ...] = ()
    """What the adapter is not good for, sentence by sentence, for its card."""
