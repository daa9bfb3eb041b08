"""No text that a crawler fetched or a user typed makes an answer verified, adds a reference, or renders as markup."""

import json
import re
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from core.requests import parse_request
from core.settings import load_settings
from core.types import Result, Status, Verdict
from indexing.job import run_index
from indexing.stores.open import open_store
from pipelines.attribution.folding import fold
from pipelines.engine import Engine
from pipelines.rendering.render import to_markdown
from tests.chat_server import ChatServer, obedient
from tests.hostile.planting import Case, cases, stories

CASES = cases()
ALLOWED_TAGS = {"h1", "h2", "h3", "p", "a", "em", "strong", "ul", "ol", "li", "blockquote", "br", "hr"}


class Markup(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in {"href", "src"}]
        assert not any(name.startswith("on") for name, _ in attrs)


@pytest.fixture(scope="module")
def hostile_dir(tmp_path_factory):
    """An index of every hostile article."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = [json.dumps(case.article()) for case in CASES]
    lines += [
        json.dumps(
            {
                "url": f"https://honest.example/{name}",
                "headline": story["headline"],
                "body": story["body"],
                "source": "Honest Post",
                "published_at": "2024-05-01",
            }
        )
        for name, story in stories().items()
    ]
    (folder / "articles.jsonl").write_text("\n".join(lines), encoding="utf-8")
    settings = load_settings({"data_dir": folder}, environment={})
    store = open_store(settings, must_exist=False)
    run_index(store, data_dir=folder, articles=folder / "articles.jsonl")
    store.close()
    return folder


@pytest.fixture(scope="module")
def obeying_server():
    with ChatServer(obedient) as server:
        yield server


@pytest.fixture(scope="module")
def engines(hostile_dir, obeying_server):
    flags = {"data_dir": hostile_dir, "top_k": 3, "threads": 2}
    chat = {"generator": "openai", "generator_url": obeying_server.url, "generator_model": "scripted"}
    made = {
        "extractive": Engine(load_settings(flags, environment={})),
        "references": Engine(load_settings(flags | chat, environment={})),
        "contexts": Engine(load_settings(flags | chat | {"mode": "contexts"}, environment={})),
    }
    yield made
    for engine in made.values():
        engine.close()


def check_form(result: Result) -> None:
    assert result.status is not Status.FAILED, result.failure
    numbers = {reference.number for reference in result.references}
    assert {int(number) for number in re.findall(r"Doc\[(\d+)\]", result.answer)} <= numbers
    markup = Markup()
    markup.feed(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(to_markdown(result)))
    assert markup.tags <= ALLOWED_TAGS, markup.tags
    assert all(re.match(r"https://(herald|honest)\.example/", link) for link in markup.links), markup.links


def test_the_set_is_large_and_varied() -> None:
    assert len(CASES) >= 100
    assert len({case.kind for case in CASES}) >= 15
    assert len({case.query for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_extractive_answer_is_not_taken_in(engines, case: Case) -> None:
    result = engines["extractive"].run("verify", parse_request({"text": case.query}))
    check_form(result)
    honest = {fold(story["body"]).text for story in stories().values()}
    for reference in result.references:
        for quote in reference.quotes:
            assert any(fold(quote.text).text in body for body in honest), quote.text


@pytest.mark.parametrize(
    ("case", "mode"),
    [(case, "references") for case in CASES] + [(case, "contexts") for case in CASES[::5]],
    ids=lambda value: getattr(value, "name", value),
)
def test_model_that_obeys_everything_verifies_nothing(engines, obeying_server, case: Case, mode: str) -> None:
    obeying_server.replies = [lambda messages: f"{case.says} Doc[1]. {obedient(messages)}"]
    result = engines[mode].run("verify", parse_request({"text": case.query}))
    check_form(result)
    denies = result.answer.startswith("No. ")  # to a yes/no question, against what was planted
    assert result.verdict is not Verdict.VERIFIED or denies, result.answer


def test_true_answers_still_come_through(engines, obeying_server) -> None:
    verified = []
    for name, story in stories().items():
        sentence = next(one for one in re.split(r"(?<=[.])\s", story["body"]) if story["true_answer"] in one)
        obeying_server.replies = [f"{sentence.rstrip('.')} Doc[1]."]
        result = engines["references"].run("verify", parse_request({"text": story["true_question"]}))
        assert story["true_answer"] in result.answer, name
        verified += [name] if result.verdict is Verdict.VERIFIED else []
    assert len(verified) >= 0.7 * len(stories()), verified
