"""`looksy demo`: the main job on the bundled sample, from crawl to verdict."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from core.settings import RETRIEVERS_WITH_VECTORS, GeneratorKind, Settings, VectorPolicy, load_settings
from service.cli import common
from service.cli.output import print_markdown
from service.cli.progress import ConsoleProgress

T = TypeVar("T")
FOLDER = Path("var") / "demo"
"""Where the demo works, unless a command line names another folder."""


@dataclass(frozen=True)
class DemoQuery:
    """A query of the demo and what it shows."""

    text: str
    shows: str


QUERIES = (
    DemoQuery(
        "Who was sworn in as governor of Puerto Rico after the Supreme Court ruled against Pierluisi?",
        shows="a question that the articles answer",
    ),
    DemoQuery(
        "Hurricane Dorian made landfall in the Bahamas as a Category 3 storm.",
        shows="a statement to check",
    ),
    DemoQuery("What is the name of the Bahamian prime minister's dog?", shows="a question that no article answers"),
)


def demo(
    data_dir: Annotated[
        Path | None,
        typer.Option("--data-dir", help="Where articles, index, runs and state are kept.", show_default=str(FOLDER)),
    ] = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """Serve the sample news site, crawl it, index it and ask three queries. Needs no network."""
    typed = common.parse_pairs(assignments, flag="--set")
    named = data_dir is not None or "data_dir" in typed
    settings = common.make_settings(data_dir=data_dir if named else FOLDER, profile=profile, assignments=assignments)
    wants_vectors = "retriever" in typed and settings.retriever in RETRIEVERS_WITH_VECTORS
    if "vectors" not in settings.model_fields_set and not wants_vectors:
        settings = settings.model_copy(update={"vectors": VectorPolicy.NEVER})  # the demo searches by words: be quick
    apart = _set_apart(settings, typed=typed)
    settings = settings.model_copy(update=apart)
    typer.echo(f"Looksy demo, in {settings.data_dir}\n")
    shown = apart if named else _own_folder(settings, typed) | apart
    if shown:
        typer.echo(f"Set for the demo alone: {', '.join(_assignments(shown))}; --set NAME=VALUE keeps yours.\n")
    _crawl_sample(settings)
    _index(settings)
    _ask(settings)
    also = _assignments({name: value for name, value in typed.items() if name != "data_dir"} | apart)
    options = common.write_options(data_dir=settings.data_dir, profile=profile, assignments=also)
    typer.echo(_next_commands(shlex.join(options)))


def _set_apart(settings: Settings, *, typed: Collection[str]) -> dict[str, Any]:
    """
    Return the settings that keep the sample out of the installation's own index, and the demo off the network.

    Without vectors it searches by words.

    :param typed: Names that were given with `--set`: these stay as they are.
    """
    from pipelines.contracts.verifier import judge_without_chat

    own: dict[str, Any] = {"store_url": None, "generator": GeneratorKind.EXTRACTIVE}
    if "generator" not in typed:  # no generator is left to ask
        own["judge"] = judge_without_chat(settings.judge)
    if settings.vectors is VectorPolicy.NEVER and settings.retriever in RETRIEVERS_WITH_VECTORS:
        own["retriever"] = "bm25"
    return {name: value for name, value in own.items() if name not in typed and getattr(settings, name) != value}


def _own_folder(settings: Settings, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the folder of the demo as a setting, if environment or profile name another one."""
    others = load_settings({**typed, "profile": settings.profile})
    is_other = "data_dir" in others.model_fields_set and others.data_dir != settings.data_dir
    return {"data_dir": settings.data_dir} if is_other else {}


def _assignments(values: Mapping[str, Any]) -> list[str]:
    """Write settings as `--set` takes them; empty for None."""
    return [f"{name}={'' if value is None else value}" for name, value in values.items()]


def _crawl_sample(settings: Settings) -> None:
    from core.paths import SAMPLE
    from scraper.crawling.crawl import crawl
    from scraper.publishers import load_publisher
    from scraper.samplesite.server import SampleServer
    from scraper.samplesite.stories import read_stories

    server = SampleServer(read_stories(SAMPLE / "articles.jsonl.gz"), port=0).start()
    typer.echo(f"1. Crawling the sample news site at {server.address} (robots.txt, sitemaps, pages)")
    try:
        with ConsoleProgress() as progress:
            crawl(
                load_publisher("sample"),
                data_dir=settings.data_dir,
                home=server.address,
                contact=settings.crawl_contact,
                workers=settings.crawl_workers,
                progress=progress,
            )
    finally:
        server.stop()


def _index(settings: Settings) -> None:
    from indexing.stores.open import open_store
    from indexing.vectors import index_articles

    typer.echo("\n2. Indexing the articles")
    store = open_store(settings, must_exist=False)
    try:
        with ConsoleProgress() as progress:
            index_articles(settings, store, progress=progress)
        counts = store.counts(by_month=False)
    finally:
        store.close()
    typer.echo(f"   The index holds {counts.articles:,} articles in {counts.passages:,} passages.")


def _ask(settings: Settings) -> None:
    from core.requests import parse_request
    from pipelines.engine import Engine
    from pipelines.rendering.render import to_markdown

    engine = Engine(settings)
    try:
        for number, query in enumerate(QUERIES, start=3):
            typer.echo(f"\n{number}. Asking {query.shows}:\n   > {query.text}\n")
            with ConsoleProgress(quiet=True) as progress:
                result = engine.run("verify", parse_request({"text": query.text}), progress=progress)
            print_markdown(to_markdown(result))
    finally:
        engine.close()


def _next_commands(where: str) -> str:
    commands = {
        f'looksy ask "…" {where}': "ask your own question, or check a statement",
        f"looksy serve {where}": "the web page and REST, at http://127.0.0.1:8000",
        f"looksy status {where}": "what the index holds",
        "looksy publishers": "sites that can be crawled; a file in configs/publishers/ adds one",
        "looksy crawl bbc && looksy index": "crawl one of them, and index it",
    }
    width = max(map(len, commands))
    lines = [f"  {command:<{width}}  {meaning}" for command, meaning in commands.items()]
    return "\nThat was the whole way. To go on:\n\n" + "\n".join(lines)
