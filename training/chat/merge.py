"""
`python -m training.chat.merge BASE ADAPTER OUT`: one model out of a base model and an adapter.

For servers that take no adapters. Needs the memory of the base model once.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.errors import ConfigError, LooksyError
from core.settings import load_settings
from training.chat.base import find_base, load_base, load_tokenizer, with_adapter


def merge(base: Path, adapter: Path, out: Path) -> Path:
    """
    Add an adapter to the weights of its base model and write the sum.

    :param out: A folder that is not there yet, or empty.
    :returns: The folder, with weights, configuration and tokenizer.
    :raises ConfigError: If there is something in it.
    """
    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"{out} is not empty", field="out", hint="Give another folder.")
    model = with_adapter(load_base(base, as_stored=True), adapter).merge_and_unload()
    model.save_pretrained(str(out))
    load_tokenizer(adapter).save_pretrained(str(out))
    return out


def main(given: Sequence[str] | None = None) -> int:
    """Read the command line and merge."""
    parser = argparse.ArgumentParser(description="Add a LoRA adapter to the weights of its base model.")
    parser.add_argument("base", help="Folder of the base model, or owner/name as `looksy models pull` fetched it.")
    parser.add_argument("adapter", type=Path, help="Folder `model` of a build.")
    parser.add_argument("out", type=Path, help="Folder to write.")
    options = parser.parse_args(given)
    try:
        merge(find_base(options.base, load_settings().data_dir), options.adapter, options.out)
    except LooksyError as error:
        parser.exit(error.exit_code, f"{error.message}\n{error.hint or ''}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
