"""`looksy settings`: every setting with its value, default and meaning."""

from core.settings import ENV_PREFIX, Settings, secret_names
from service.cli import common
from service.cli.output import print_json, print_table


def settings(
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    store: common.Store = None,
    assignments: common.Set = None,
) -> None:
    """List every setting: its value here, its environment variable and what it means. Secrets are not shown."""
    loaded = common.make_settings(data_dir=data_dir, profile=profile, store=store, assignments=assignments)
    values = loaded.model_dump(mode="json")
    for name in secret_names():
        values[name] = "set" if values[name] else None
    if as_json:
        print_json(values)
        return
    print_table(
        ("setting", "value", "environment", "meaning"),
        [
            (name, str(values[name]), ENV_PREFIX + name.upper(), field.description)
            for name, field in Settings.model_fields.items()
        ],
    )
