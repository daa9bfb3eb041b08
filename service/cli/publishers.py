"""`looksy publishers`: the sites that can be crawled."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from service.cli import common
from service.cli.output import print_json, print_table

app = typer.Typer(help="The sites that can be crawled.", invoke_without_command=True)


@app.callback()
def publishers(context: typer.Context, as_json: common.Json = False, data_dir: common.DataDir = None) -> None:
    """List, check and add the sites that can be crawled."""
    if context.invoked_subcommand is None:
        list_all(as_json=as_json, data_dir=data_dir)


@app.command("list")
def list_all(as_json: common.Json = False, data_dir: common.DataDir = None) -> None:
    """List the publishers of the data folder, and the examples that ship."""
    from scraper.publishers import list_publishers, load_publisher

    folder = common.make_settings(data_dir=data_dir).data_dir
    names = list_publishers(data_dir=folder)
    loaded = [load_publisher(name, data_dir=folder).model_dump(mode="json") for name in names]
    if as_json:
        print_json(loaded)
        return
    print_table(
        ("name", "title", "home", "languages", "type", "tried"),
        [
            (
                *map(one.get, ("name", "title", "home")),
                ", ".join(one["languages"]),
                one["type"],
                one["tried_on"] or "never",
            )
            for one in loaded
        ],
    )


@app.command()
def check(
    publisher: Annotated[str, typer.Argument(help="A name in configs/publishers/ or a YAML file.")],
    home: Annotated[
        str | None, typer.Option("--home", help="Scheme, host and port to look at in place of the publisher's own.")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Check the file only; ask the site nothing.")] = False,
    as_json: common.Json = False,
    data_dir: common.DataDir = None,
) -> None:
    """Check a publisher file, then look at the site's robots.txt and a few of its sitemaps and feeds."""
    from scraper.publishers import load_publisher

    settings = common.make_settings(data_dir=data_dir)
    loaded = load_publisher(publisher, data_dir=settings.data_dir)
    if offline:
        if as_json:
            print_json(loaded)
        else:
            typer.echo(f"{publisher} is a valid publisher file; {_say_tried(loaded.tried_on)}.")
        return
    from scraper.probing.discovery import check_site

    found = check_site(loaded, contact=settings.crawl_contact, home=home)
    if as_json:
        print_json(found)
    else:
        delay = f", Crawl-delay {found.crawl_delay_s:g} s" if found.crawl_delay_s else ""
        typer.echo(f"{found.publisher}: robots.txt {found.robots}{delay}\n")
        rows = [
            (one.url, one.kind, one.sitemaps, one.pages, one.wanted, "; ".join(one.problems)) for one in found.sitemaps
        ]
        print_table(("sitemap or feed", "kind", "sitemaps", "pages", "wanted", "problems"), rows)
        for url in found.samples:
            typer.echo(f"  {url}")
        if found.refused_by_robots:
            typer.echo(f"robots.txt forbids {found.refused_by_robots} of these {len(found.samples)} pages.")
        if found.is_usable:
            typer.echo(f"Until now the file said: {_say_tried(loaded.tried_on)}. It works: write today into tried_on.")
    if not found.is_usable:
        typer.echo("A crawl would find no page that it wants and may fetch.", err=True)
        raise typer.Exit(1)


def _say_tried(day: date | None) -> str:
    return f"last tried against the site on {day}" if day else "never tried against the site"


@app.command()
def add(
    address: Annotated[str, typer.Argument(help="The site, as in https://www.example.com.")],
    name: Annotated[str, typer.Option("--name", help="Short name of the publisher.")],
    output: Annotated[
        Path | None, typer.Option("--output", help="File to write.", show_default="DATA/publishers/NAME.yaml")
    ] = None,
    data_dir: common.DataDir = None,
) -> None:
    """Find a site's sitemaps and feeds and write a first publisher file."""
    from core.errors import InputError
    from scraper.probing.discovery import discover, to_yaml
    from scraper.publishers import own_folder

    settings = common.make_settings(data_dir=data_dir)
    path = output or own_folder(settings.data_dir) / f"{name}.yaml"
    if path.exists():
        raise InputError(f"{path} is there already", field="output", hint="Give another --name or --output.")
    publisher = discover(address, name=name, contact=settings.crawl_contact)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_yaml(publisher), encoding="utf-8")
    found = f"{len(publisher.sitemaps)} sitemaps and {len(publisher.feeds)} feeds"
    typer.echo(f"Wrote {path} with {found}. Next: looksy publishers check {path}")
