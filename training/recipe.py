"""A model's recipe: one YAML file a model, in `training/recipes`."""

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Discriminator, Field, NonNegativeInt, PositiveFloat, PositiveInt, Tag, TypeAdapter, ValidationError

from core.errors import ConfigError, NotFoundError
from core.types import Model, Probability
from training.chat.recipe import LoraRecipe

FOLDER = Path(__file__).parent / "recipes"


class Source(Model):
    """One kind of data in the mixture."""

    kind: Literal[
        "statements", "mirrors", "contexts", "swaps", "sentences", "squad", "written", "twins", "grids", "near_copies"
    ]
    packs: tuple[str, ...]
    rows: PositiveInt
    """Groups drawn from it in each round."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Arguments of the kind's loader in `training/data/sources`."""


class Schedule(Model):
    """Rises to its peak, stays there, then falls along a cosine to a floor."""

    peak: PositiveFloat
    warmup: PositiveInt
    """Steps of rising."""
    stable: PositiveInt
    """Step at which it begins to fall."""
    cooling: PositiveInt
    """Steps of falling."""
    floor: Probability = 0.02
    """What is left at the end, as a share of the peak."""

    @property
    def steps(self) -> int:
        """All steps."""
        return self.stable + self.cooling


class EncoderShape(Model):
    """Family and size of the encoder; what is left out is that of a BERT of six layers."""

    family: Literal["bert", "mpnet"] = "bert"
    """Devlin et al. 2019, "BERT"; Song et al. 2020, "MPNet", which has relative positions and no token types."""
    vocabulary: PositiveInt = 30522
    hidden: PositiveInt = 384
    layers: PositiveInt = 6
    heads: PositiveInt = 12
    intermediate: PositiveInt = 1536
    positions: PositiveInt = 512
    """Rows of the table of positions; MPNet's first two stand for no position."""
    word_bits: Literal[8, 4] = 8
    """Of a word embedding in what is exported. With 4, training reads the words as they will be exported."""
    relative_buckets: PositiveInt = 32
    """Of distances between tokens, MPNet alone."""


class Start(Model):
    """The weights to begin with."""

    base_sha256: str
    """Of the base model's `model.safetensors`."""
    tokenizer_sha256: str | None = None
    """Of the base model's `tokenizer.json`, which lies beside it; None: the shipped reader's tokenizer."""
    weights_sha256: str | None = None
    """Of the `weights.safetensors` of an earlier build to go on from; None: the base model alone."""
    trained_share: Probability = 1.0
    """
    Of the trained weights in what is exported; the rest are those that training began with.

    Wortsman et al. 2022, "Robust fine-tuning of zero-shot models": the mean keeps what the earlier build could do.
    """
    mean_sha256: str | None = None
    """Of the `weights.safetensors` that the rest is taken from; None: those that training began with."""


class EmbedderRecipe(Model):
    """Exports published weights as they are; nothing is trained."""

    kind: Literal["embedder"]
    name: str
    title: str
    base_sha256: str


class RerankerRecipe(Model):
    """Learns to turn the shipped embedder's vectors."""

    kind: Literal["reranker"]
    name: str
    title: str
    seed: int
    epochs: PositiveInt
    rate: PositiveFloat
    batch: PositiveInt
    dropout: Probability
    hard: PositiveInt
    """BM25's best wrong texts that the right one must be ahead of."""
    drawn: PositiveInt
    """Further wrong texts a claim, drawn the likelier the lower BM25 ranks them."""
    margin: PositiveFloat
    margin_weight: float = Field(ge=0)
    temperature: PositiveFloat
    anchor: float = Field(ge=0)
    """Weight of the squared distance to the maps that change nothing."""
    bm25_share: float = Field(ge=0)
    """Of BM25, 0 to 1, that is added to the cosine."""


class Recipe(Model):
    """All that decides what a build of an evidence model makes."""

    kind: Literal["evidence"] = "evidence"
    name: str
    title: str
    seed: int
    encoder: EncoderShape = EncoderShape()
    start: Start
    max_tokens: PositiveInt = 224
    """Longer pairs are left out of training."""
    tokens_per_batch: PositiveInt
    schedule: Schedule
    weight_decay: float = Field(0.01, ge=0)
    dropout: Probability = 0.0
    """Inside the encoder. A fifth more time a step; for what is passed over many times."""
    frozen_layers: NonNegativeInt = 0
    """
    First layers of the encoder that stay as they are, with the embeddings below them; 0: all layers learn.

    A quarter of them saves a sixth of a step's time (Lee, Tang and Lin 2019, "What Would Elsa Do?").
    """
    clip: PositiveFloat = 1.0
    """Largest norm of a step's gradient."""
    mirror_weight: float = Field(0.5, ge=0)
    """Of the loss between a statement's two passages, beside the loss of each."""
    side_weight: float = Field(0.0, ge=0)
    """Of the loss between supports and refutes alone, *neither* left out."""
    span_weight: float = Field(0.5, ge=0)
    relevance_weight: float = Field(0.2, ge=0)
    average: Probability = 0.99
    """Decay, a step, of the running mean of the weights, which is what is exported."""
    save_every: PositiveInt = 25
    validate_every: PositiveInt = 100
    validation: tuple[str, ...] = ()
    """Packs of mirrors whose development parts are watched."""
    limits: tuple[str, ...] = ()
    """What the model is not good for, sentence by sentence, for its card."""
    sources: tuple[Source, ...]


AnyRecipe = Recipe | EmbedderRecipe | RerankerRecipe | LoraRecipe


def recipe_names() -> list[str]:
    """Name the recipes that ship."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem != "packs")


def find_recipe(name_or_file: str) -> AnyRecipe:
    """
    Read a recipe by its name, by the beginning of its name, or from a YAML file.

    :raises NotFoundError: If there is none, or several begin so.
    :raises ConfigError: If it is broken.
    """
    if name_or_file.endswith((".yaml", ".yml")):
        return load_recipe(Path(name_or_file))
    named = [name for name in recipe_names() if name.startswith(name_or_file)]
    if name_or_file in named:
        named = [name_or_file]
    if len(named) != 1:
        raise NotFoundError(
            f"{len(named) or 'no'} recipes begin with {name_or_file!r}",
            field="name",
            hint=f"Name one of: {', '.join(recipe_names())}.",
        )
    return load_recipe(FOLDER / f"{named[0]}.yaml")


def load_recipe(path: Path) -> AnyRecipe:
    """
    Read a recipe's file.

    :raises ConfigError: If it is missing or broken.
    """
    try:
        return _ANY.validate_python(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError, yaml.YAMLError) as error:
        raise ConfigError(f"{path} is not a recipe: {error}", field="name", hint="Mend the file.") from error


def _kind(value: object) -> str:
    return str(value.get("kind", "evidence")) if isinstance(value, dict) else "evidence"


_ANY: TypeAdapter[AnyRecipe] = TypeAdapter(
    Annotated[
        Annotated[Recipe, Tag("evidence")]
        | Annotated[EmbedderRecipe, Tag("embedder")]
        | Annotated[RerankerRecipe, Tag("reranker")]
        | Annotated[LoraRecipe, Tag("lora")],
        Discriminator(_kind),
    ]
)
