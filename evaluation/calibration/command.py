"""What the fitting programs share on the command line."""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

from core.paths import MODELS
from core.progress import ProgressEvent

logger = logging.getLogger(__name__)

_EVERY = 50


def arguments(parser: argparse.ArgumentParser, given: Sequence[str] | None = None) -> argparse.Namespace:
    """Add what every fit needs, read the command line, and let the log speak."""
    parser.add_argument("--pairs", type=Path, action="append", required=True, help="Pack of written questions.")
    parser.add_argument("--work", type=Path, required=True, help="Folder for what is made on the way; kept.")
    parser.add_argument("--model", type=Path, default=MODELS / "evidence-minilm-l6", help="Folder of the model.")
    parser.add_argument("--judge", type=Path, help="Folder of a judge to fit, behind the model; default: the model.")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    return parser.parse_args(given)


def log_progress(event: ProgressEvent) -> None:
    """Log every fiftieth step."""
    if event.done % _EVERY == 0:
        logger.info("%s: %s of %s %s", event.stage, event.done, event.total or "?", event.unit)


def pack_names(paths: Sequence[Path]) -> list[str]:
    """Name packs by folder and file, without endings."""
    return [f"{path.resolve().parent.name}/{path.name.partition('.')[0]}" for path in paths]
