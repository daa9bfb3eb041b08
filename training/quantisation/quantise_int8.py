"""
From a graph with 32-bit weights to one with 8-bit weights that says nearly the same.

Four things keep it near, each in a module of its own: what channels reach is evened out (`smoothing`), the loudest are
computed apart (`outliers`), tables of embeddings have a scale for each row (`tables`), and weights are rounded so that
their errors make up for each other (`rounding`).
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from training.quantisation.activations import Feeds
from training.quantisation.embedding_quantisation import lookups, store_by_row, store_in_four_bits
from training.quantisation.gptq import round_together
from training.quantisation.mixed_precision import split_off, widest_channels
from training.quantisation.onnx_files import quantise
from training.quantisation.smoothquant import smooth

_EIGHT = 8
_WORDS = "word_embeddings"
"""In the name of the node that looks up words."""
_DISTANCES = "relative_attention_bias"
"""In the name of the node that looks up what an MPNet adds to logits: a small table, which stays as it is."""


def write_eight_bits(
    source: Path, target: Path, feeds: Sequence[Feeds], *, encoder: str, word_bits: Literal[8, 4] = 8
) -> None:
    """
    Write a graph with 8-bit weights.

    :param source: A fused graph of a BERT or MPNet with 32-bit weights.
    :param feeds: Inputs like those that the model will get; without any, nothing is evened out or rounded together.
    :param encoder: Where the encoder stands in the exported model, as in the names of its nodes.
    :param word_bits: Of the embeddings of words; all other tables have 8.
    :raises ModelError: If the graph is not built as expected.
    """
    with TemporaryDirectory() as scratch:
        even, split = Path(scratch) / "even.onnx", Path(scratch) / "split.onnx"
        smooth(source, even, feeds, encoder=encoder)
        apart = split_off(even, split, widest_channels(even, feeds, encoder=encoder), encoder=encoder)
        tables = lookups(split)
        quantise(split, target, exact=[*apart, *tables])
        for lookup in [one for one in tables if _DISTANCES not in one]:
            four = word_bits < _EIGHT and _WORDS in lookup
            (store_in_four_bits if four else store_by_row)(target, lookup)
        round_together(split, target, feeds)
