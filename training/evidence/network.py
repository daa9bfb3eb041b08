"""The evidence network: an encoder with heads for answer span, relation and relevance."""

import re
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from core.errors import ModelError
from training.evidence.encoders import freeze_layers, make_encoder
from training.evidence.graph_weights import weights_of_graph
from training.quantisation.embedding_quantisation import four_bits, from_four_bits
from training.recipe import EncoderShape

WORDS = "embeddings.word_embeddings.weight"
POSITIONS = "embeddings.position_embeddings.weight"
RELATIONS = 3
_PREFIX = re.compile(r"^(?:bert|mpnet)\.")
"""Stands before the names of an encoder that was published with heads."""


class EvidenceNetwork(nn.Module):
    """
    One pass over (query, passage) rows; the word embeddings are frozen.

    :param shape: Of the encoder.
    :param dropout: Share of what embeddings, attention and feed-forward layers give that is dropped in training (Devlin
        et al. 2019, "BERT": .1).
    """

    def __init__(self, shape: EncoderShape, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.enc = make_encoder(shape, dropout=dropout)
        self.freeze(0)
        self.span = nn.Linear(shape.hidden, 2)
        self.rel = nn.Sequential(
            nn.Linear(2 * shape.hidden, shape.hidden),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.Linear(shape.hidden, RELATIONS + 1),
        )

    def freeze(self, layers: int) -> None:
        """Keep the embeddings and so many first layers as they are; 0: of the embeddings, the words alone."""
        freeze_layers(self.enc, layers)

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """
        Read a batch; all inputs int64 of shape (rows, tokens).

        :returns: `span_logits` (rows, tokens, 2), `relation_logits` (rows, 3), `relevance_logit` (rows,).
        """
        states = self.enc(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)[0]
        there = attention_mask.unsqueeze(-1).to(states.dtype)  # (rows, tokens, 1)
        mean = (states * there).sum(1) / there.sum(1).clamp(min=1.0)  # (rows, hidden)
        judged = self.rel(torch.cat([states[:, 0], mean], dim=-1))  # (rows, 4)
        return self.span(states), judged[:, :RELATIONS], judged[:, RELATIONS]


def load_base(network: EvidenceNetwork, file: Path) -> None:
    """
    Take over the encoder of a published BERT or MPNet; rows of its table of positions beyond the network's are cut.

    :raises ModelError: If a weight is missing or of another shape.
    """
    given = load_file(str(file))
    weights = {_PREFIX.sub("", name): value.float() for name, value in given.items()}
    wanted = network.enc.state_dict()
    if POSITIONS in weights and POSITIONS in wanted:
        weights[POSITIONS] = weights[POSITIONS][: len(wanted[POSITIONS])]
    _take(network.enc, {name: weights[name] for name in wanted if name in weights}, file, optional=frozenset())


def round_words(network: EvidenceNetwork, bits: int) -> None:
    """
    Round the word embeddings as they will be exported.

    :param bits: 8: they are left as they are, which is as near as makes no difference; or 4.
    """
    if bits == 8:  # noqa: PLR2004 - bits
        return
    words = network.enc.embeddings.word_embeddings.weight
    with torch.no_grad():
        words.copy_(torch.from_numpy(from_four_bits(*four_bits(words.float().numpy()))))


def load_trained(network: EvidenceNetwork, file: Path) -> None:
    """
    Take over trained weights, which hold all but the word embeddings.

    :param file: `weights.safetensors`, or `model.onnx` of a model that ships.
    :raises ModelError: If a weight is missing or of another shape.
    """
    given = weights_of_graph(file) if file.suffix == ".onnx" else load_file(str(file))
    weights = {name: value.float() for name, value in given.items()}
    _take(network, weights, file, optional=frozenset({f"enc.{WORDS}"}))


def save_trained(weights: Mapping[str, Tensor], file: Path) -> None:
    """Write all weights but the word embeddings, as 16-bit floats."""
    kept = {name: value.half().contiguous() for name, value in weights.items() if name != f"enc.{WORDS}"}
    save_file({name: value for name, value in kept.items() if value.is_floating_point()}, str(file))


def _take(module: nn.Module, weights: Mapping[str, Tensor], file: Path, *, optional: frozenset[str]) -> None:
    try:
        missing, unexpected = module.load_state_dict(dict(weights), strict=False)
    except RuntimeError as error:
        raise ModelError(f"{file} holds weights of another shape: {error}", field="weights") from error
    missing = [name for name in missing if name not in optional and not name.endswith("position_ids")]
    if missing or unexpected:
        raise ModelError(
            f"{file} lacks {missing[:3]} and has {unexpected[:3]} besides",
            field="weights",
            hint="Give weights of the encoder that the recipe names.",
        )
