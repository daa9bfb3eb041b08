"""`looksy publishers`: the sites that can be crawled."""

from service.cli import common
from service.cli.output import print_json, print_table


def publishers(as_json: common.Json = False, data_dir: common.DataDir = None) -> None:
    """List the publishers in configs/publishers/."""
    common.make_settings(data_dir=data_dir)

    from scraper.publishers import list_publishers, load_publisher

    loaded = [load_publisher(name).model_dump(mode="json") for name in list_publishers()]
    if as_json:
        print_json(loaded)
        return
    print_table(
        ("name", "title", "home", "languages", "type"),
        [(one["name"], one["title"], one["home"], ", ".join(one["languages"]), one["type"]) for one in loaded],
    )
