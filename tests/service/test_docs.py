"""The documents name what there is."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from fastapi.testclient import TestClient
from typer.main import get_command
from typer.testing import CliRunner

from core.paths import ROOT
from core.settings import Settings
from pipelines.conflicts import EFFECTS
from pipelines.conflicts.severity import Severity
from service.api.errors import _HTTP_CODES
from service.app import create_app
from service.cli.main import app
from tests.service.fakes import FakeAsker

REST, OPERATIONS = ROOT / "docs" / "rest.md", ROOT / "docs" / "operations.md"
pytestmark = pytest.mark.skipif(not REST.is_file(), reason="docs are part of the checkout only")


def test_every_route_is_documented(client: TestClient) -> None:
    text = (ROOT / "docs" / "reference" / "routes.md").read_text(encoding="utf-8")
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}`" in text, f"{method} {path} is not in docs/reference/routes.md"
    guide = REST.read_text(encoding="utf-8")
    assert all(f"`POST /v1/<system>{end}`" in guide for end in ("", "/stream"))


def test_every_metric_is_documented(client: TestClient) -> None:
    client.post("/v1/verify", json={"text": "Who?"})
    names = set(re.findall(r"^# TYPE (\w+)", client.get("/metrics").text, re.MULTILINE))
    text = OPERATIONS.read_text(encoding="utf-8")
    assert names
    assert {name for name in names if name not in text} == set()


def test_every_status_is_documented() -> None:
    text = REST.read_text(encoding="utf-8")
    assert all(str(int(status)) in text for status in _HTTP_CODES)


def test_what_needs_no_key_is_documented(settings: Settings) -> None:
    said = REST.read_text(encoding="utf-8").split("## Keys")[1].split("\n## ")[0]
    public = settings.model_copy(update={"host": "0.0.0.0"})
    with TestClient(create_app(public, asker=FakeAsker()), base_url="https://looksy.example") as outside:
        for path in ("/healthz", "/readyz", "/openapi.json", "/docs", "/static/app.css"):
            assert outside.get(path).status_code in {200, 503}
            assert f"`{path.removesuffix('/app.css')}`" in said
        assert outside.post("/sign-out", follow_redirects=False).status_code == 303
    assert all(f"`{path}`" in said for path in ("/sign-in", "/sign-out"))


def test_the_readme_asks_the_index_that_the_demo_makes() -> None:
    asking = (ROOT / "README.md").read_text(encoding="utf-8").split("## Ask\n")[1]
    assert asking.lstrip().splitlines()[1].split()[:2] == ["export", "LOOKSY_DATA_DIR=var/demo"]
    assert asking.index("unset LOOKSY_DATA_DIR") < asking.index("looksy crawl")


def test_every_extra_that_is_named_can_be_installed() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    files = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "evaluation").rglob("*.py")]
    named = {
        (file.name, extra)
        for file in files
        for extras in re.findall(r"(?:looksy|extras? `)\[([\w,]+)\]", file.read_text(encoding="utf-8"))
        for extra in extras.split(",")
    }
    assert named
    assert {(file, extra) for file, extra in named if extra not in known} == set()


def test_the_readme_adds_a_publisher_with_all_that_the_command_needs(tmp_path: Path) -> None:
    file = tmp_path / "there.yaml"
    file.write_text("")
    (command,) = re.findall(r"`looksy (publishers add [^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8"))
    where = ["--output", str(file), "--data-dir", str(tmp_path)]  # refused before any site is asked
    assert "is there already" in CliRunner().invoke(app, [*shlex.split(command), *where]).stderr


def test_every_folder_and_room_is_in_the_architecture() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in (ROOT / "pipelines").glob("*/__init__.py")]
    systems = [path.parent.name for path in (ROOT / "pipelines" / "systems").glob("*/__init__.py")]
    packages = ["core", "models", "scraper", "indexing", "pipelines", "evaluation", "training", "service", "configs"]
    assert [name for name in (*packages, *rooms, *systems) if f"`{name}`" not in text] == []


def test_every_kind_of_conflict_has_a_row_with_its_effect() -> None:
    text = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    effects = {row[0].split(":")[0].strip(): row[3].strip() for row in rows if len(row) == 4}
    names = {Severity.NOTE: "noted"}
    for kind, effect in EFFECTS.items():
        said = names.get(effect.severity, effect.severity.value)
        never = effect.severity is not Severity.NOTE and not effect.can_refute
        assert effects[kind.value] == (f"{said}, never refutes" if never else said), kind


MOST_WORDS = 25


def too_long(text: str) -> list[str]:
    """Return the sentences of a text that have too many words."""
    sentences = re.split(r"(?<=[.!?:])\s+|\n\n", text)
    return [one for one in sentences if len(one.split()) > MOST_WORDS]


def commands(command: click.Command, path: str) -> Iterator[tuple[str, str]]:
    """Yield each command with a text of its help."""
    yield path, command.help or ""
    yield from ((path, getattr(parameter, "help", None) or "") for parameter in command.params)
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{path} {name}")


def test_no_sentence_of_the_help_has_to_be_read_twice() -> None:
    found = [f"{path}: {one}" for path, text in commands(get_command(app), "looksy") for one in too_long(text)]
    assert found == []


BY_MACHINE = {"conflicts.md", "figures.md"}
"""Pages whose text is the output of commands."""


def pages_by_hand() -> list[Path]:
    """Return the pages that people wrote."""
    named = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    return [*named, *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in BY_MACHINE)]


def prose_of(page: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"(```+).*?\1", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("page", pages_by_hand(), ids=lambda page: page.stem)
def test_pages_have_short_sentences(page: Path) -> None:
    prose = re.sub(r"^\|.*", lambda row: row[0].replace(";", "|"), prose_of(page), flags=re.MULTILINE)  # lists in cells
    cells = re.sub(r"^ *(?:[-*]|\d+\.) |\||\n(?=[-*|#]|\d+\. )|^#.*", "\n\n", prose, flags=re.MULTILINE)
    assert too_long(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cells)) == []


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    """Return where a page leads to, other hosts left out."""
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)) if "://" not in link]


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")], ids=lambda page: page.stem
)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{link}: there is no such file"
        assert not anchor or anchor in anchors(target), f"{link}: there is no such heading"


def test_every_page_is_linked_from_the_readme_or_a_page_that_is() -> None:
    reached, left = set(), [ROOT / "README.md"]
    while left:
        page = left.pop()
        reached.add(page)
        targets = ((page.parent / link.partition("#")[0]).resolve() for link in links(page))
        left += [target for target in targets if target.suffix == ".md" and target not in reached]
    assert [page.name for page in (ROOT / "docs").rglob("*.md") if page not in reached] == []


def test_code_names_pages_that_are_there() -> None:
    rooms = ("core", "models", "scraper", "indexing", "pipelines", "evaluation", "training", "service", "configs")
    files = [file for room in rooms for ending in ("*.py", "*.yaml") for file in (ROOT / room).rglob(ending)]
    named = {name for file in files for name in re.findall(r"docs/[\w/]+\.md", file.read_text(encoding="utf-8"))}
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []
