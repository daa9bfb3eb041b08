"""`looksy doctor`: check the installation."""

import typer

from service.cli import common
from service.cli.output import print_json, print_table


def doctor(
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """Check this installation and say what to fix. Exit code 1 if something is broken."""
    settings = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)

    from service.operations.doctor import Health, examine

    findings = list(examine(settings))
    if as_json:
        print_json([finding.model_dump(mode="json") for finding in findings])
    else:
        print_table(
            ("part", "health", "found", "to do"),
            [(one.part, one.health.value, one.message, one.hint or "") for one in findings],
        )
    if any(finding.health is Health.BROKEN for finding in findings):
        raise typer.Exit(1)
