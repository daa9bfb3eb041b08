"""
From a graph with 32-bit weights to one with 8-bit weights that says nearly the same.

Four things keep it near, each in a module of its own: what channels reach is evened out (`smoothing`), the loudest are
computed apart (`outliers`), tables of embeddings have a scale for each row (`tables`), and weights are rounded so that
their errors make up for each other (`rounding`).
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from training.quantisation.activations import Feeds
from training.quantisation.embedding_quantisation import lookups, store_by_row
from training.quantisation.gptq import round_together
from training.quantisation.mixed_precision import split_off, widest_channels
from training.quantisation.onnx_files import quantise
from training.quantisation.smoothquant import smooth


def write_eight_bits(source: Path, target: Path, feeds: Sequence[Feeds], *, encoder: str) -> None:
    """
    Write a graph with 8-bit weights.

    :param source: A fused graph of a BERT with 32-bit weights.
    :param feeds: Inputs like those that the model will get; without any, nothing is evened out or rounded together.
    :param encoder: Where the encoder stands in the exported model, as in the names of its nodes.
    :raises ModelError: If the graph is not built as expected.
    """
    with TemporaryDirectory() as scratch:
        even, split = Path(scratch) / "even.onnx", Path(scratch) / "split.onnx"
        smooth(source, even, feeds, encoder=encoder)
        apart = split_off(even, split, widest_channels(even, feeds, encoder=encoder), encoder=encoder)
        tables = lookups(split)
        quantise(split, target, exact=[*apart, *tables])
        for lookup in tables:
            store_by_row(target, lookup)
        round_together(split, target, feeds)
