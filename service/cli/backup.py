"""`looksy backup` and `looksy restore`."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli import common
from service.cli.output import print_json


def backup(
    file: Annotated[Path, typer.Argument(help="The backup to write, .tar.gz.")],
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """Write articles, crawl state, index, runs, keys and jobs into one file. The service may go on answering."""
    settings = common.make_settings(data_dir=data_dir, profile=profile)

    from service.operations.backup import back_up

    print_json(back_up(settings, file), indent=2)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that 'looksy backup' wrote.")],
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
) -> None:
    """Restore a backup into an empty data folder, after checking every file."""
    settings = common.make_settings(data_dir=data_dir, profile=profile)

    from service.operations.backup import restore as bring_back

    print_json(bring_back(file, settings.data_dir), indent=2)
