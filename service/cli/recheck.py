"""`looksy recheck`: look at checks again whose evidence may have changed."""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli import common
from service.cli.output import print_json
from service.cli.progress import ConsoleProgress

if TYPE_CHECKING:
    from service.desk.recheck import RecheckReport


def recheck(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say which checks would be noted or asked again.")
    ] = False,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """
    Look at checks again whose evidence may have changed.

    Articles that were corrected, revised or removed come first, then new
    articles that would turn a verdict. Each index job does the same.
    """
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)

    from service.desk.after_index import look_again

    with ConsoleProgress(quiet=as_json) as progress:
        report = look_again(settings, dry_run=dry_run, progress=progress)
    if as_json:
        print_json(report)
    else:
        print_report(report)


def print_report(report: "RecheckReport") -> None:
    """Print what a pass found, for a person."""
    from service.desk.after_index import lines

    if report.dry_run:
        count = len(report.affected)
        print(f"{count:,} check{'' if count == 1 else 's'} would be noted or asked again; nothing was changed.")
        for check_id in report.affected:
            print(f"  {check_id}")
        return
    print(
        f"{report.by_article:,} checks with changed articles, {report.by_new_evidence:,} of {report.searched:,} with"
        f" new ones; {report.asked:,} asked again, {report.noted:,} to look at, in {report.seconds:.1f} s."
    )
    for line in lines(report.changes):
        print(f"  {line}")
    if report.failed:
        typer.echo(f"{report.failed:,} could not be asked again; the next run tries.", err=True)
    if report.waiting:
        typer.echo(f"{report.waiting:,} wait for the next run; --set recheck_asks=N asks more at one time.", err=True)
