"""`looksy systems`: what can be asked for."""

from service.cli import common
from service.cli.output import print_json, print_table


def systems(as_json: common.Json = False, data_dir: common.DataDir = None) -> None:
    """List the systems: what `looksy ask --system` takes, with their options."""
    common.make_settings(data_dir=data_dir)

    from pipelines.systems.registry import list_systems

    listed = list_systems()
    if as_json:
        print_json([info.model_dump(mode="json") for info in listed])
        return
    print_table(
        ("system", "title", "summary", "options"),
        [(info.name, info.title, info.summary, ", ".join(info.options.get("properties", {}))) for info in listed],
    )
