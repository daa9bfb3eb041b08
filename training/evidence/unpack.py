"""
A shipped model's own weights in 32 bits, to measure what computing in 8 bits costs.

    python -m training.evidence.unpack models/evidence-minilm-l6 var/unpacked
    looksy models measure var/unpacked --data DATA

The weights are those that 8 bits stand for, and the base model's word embeddings. What they were before they were
rounded only the folder of the build knows (`model.fp32.onnx`).
"""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from models.calibration import FILE as CALIBRATION
from training.evidence.export import export_plain
from training.evidence.network import EvidenceNetwork, load_base, load_trained
from training.files import TOKENIZER, installed_base
from training.quantisation.onnx_files import SMALL
from training.recipe import EncoderShape


def unpack(folder: Path, target: Path, *, base: Path) -> None:
    """
    Write a model folder whose graph computes in 32 bits, with the tokenizer and the calibration of the other.

    :param folder: Of an evidence model, with `model.onnx` as training writes it.
    :param target: Made if it is not there.
    :param base: `model.safetensors` of the base model.
    :raises ModelError: If the graph is not one that training has written.
    """
    shape = EncoderShape()
    network = EvidenceNetwork(shape)
    load_base(network, base)
    load_trained(network, folder / SMALL)
    target.mkdir(parents=True, exist_ok=True)
    export_plain(network, shape, target / SMALL)
    for name in (TOKENIZER, CALIBRATION):
        if (folder / name).is_file():
            shutil.copy(folder / name, target / name)


def _main(
    folder: Annotated[Path, typer.Argument(help="Of an evidence model.")],
    target: Annotated[Path, typer.Argument(help="Where to write the same in 32 bits.")],
    base: Annotated[
        Path | None, typer.Option(help="model.safetensors of all-MiniLM-L6-v2.", show_default="installed package")
    ] = None,
) -> None:
    unpack(folder, target, base=base or installed_base())


if __name__ == "__main__":
    typer.run(_main)
