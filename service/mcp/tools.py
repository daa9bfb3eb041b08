"""The tools `verify`, `check` and `search`: what a language model may ask for, and what it gets."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.progress import Progress
from core.requests import check_text, parse_request
from service.answers.asker import Asker
from service.checks.run import CheckRunner
from service.stores import LazyStore

MAX_SEARCH = 20
MAX_CLAIMS = 100
"""Claims that one call of `check` judges: a client waits for them."""
_TEXT = {"type": "string", "minLength": 1, "maxLength": 2000}
_AS_OF = {"type": "string", "description": "Only what was known by this date is evidence, e.g. 2020-01-31."}


@dataclass(frozen=True)
class Reply:
    """What a tool gives: Markdown for the model, JSON for the program around it."""

    text: str
    structured: dict[str, Any]
    is_error: bool = False


@dataclass(frozen=True)
class Tool:
    """A tool as clients see it, and what it does."""

    name: str
    title: str
    description: str
    fields: Mapping[str, dict[str, Any]]
    """Name of an argument to its JSON Schema; the first is required."""
    call: Callable[[dict[str, Any], Progress], Reply]

    @property
    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": dict(self.fields),
            "required": [next(iter(self.fields))],
            "additionalProperties": False,
        }

    def run(self, arguments: dict[str, Any], progress: Progress) -> Reply:
        """
        Call the tool.

        :param progress: Told how far it is; raises `CancelledError` where nobody waits any more.
        :raises LooksyError: If an argument cannot be used, or the work fails.
        """
        for name in arguments:
            if name not in self.fields:
                hint = f"Use {', '.join(self.fields)}."
                raise InputError(f"{name[:60]} is not a known field", field="arguments", hint=hint)
        return self.call(arguments, progress)


def make_tools(asker: Asker, store: LazyStore, checks: CheckRunner) -> dict[str, Tool]:
    """
    Make the tools.

    :param asker: Answers for `verify`.
    :param store: Holds the articles for `search`.
    :param checks: Checks texts for `check`.
    :returns: Name to tool, in the order in which they are listed.
    """

    def verify(arguments: dict[str, Any], progress: Progress) -> Reply:
        from pipelines.rendering.render import to_markdown

        result = asker.run("verify", parse_request(arguments), progress=progress)
        structured = result.model_dump(mode="json", exclude={"run"})
        return Reply(to_markdown(result), structured, is_error=result.failure is not None)

    def check(arguments: dict[str, Any], progress: Progress) -> Reply:
        return _check(checks, arguments, progress)

    def search(arguments: dict[str, Any], progress: Progress) -> Reply:
        return _search(store, arguments)

    tools = (
        Tool(
            "verify",
            "Check against trusted reporting",
            "Answer a question or judge a statement from the news articles in the archive, with verdict and exact "
            "quotes. Says so where the articles do not settle it.",
            {
                "text": {**_TEXT, "description": "One question or statement."},
                "kind": {"type": "string", "enum": ["question", "statement"]},
                "as_of": _AS_OF,
            },
            verify,
        ),
        Tool("check", "Check a whole text", _CHECK, _CHECK_FIELDS, check),
        Tool(
            "search",
            "Search the articles in the archive",
            "Find the passages of the news articles in the archive that match words best.",
            {
                "query": {**_TEXT, "description": "Words to look for."},
                "top_k": {"type": "integer", "minimum": 1, "maximum": MAX_SEARCH},
            },
            search,
        ),
    )
    return {tool.name: tool for tool in tools}


_CHECK = (
    "Find the claims of a text and judge each from the archive of news: a verdict, quotes and conflicts a claim. "
    "A call that was stopped goes on where it stopped when the same text is sent again."
)
_CHECK_FIELDS: dict[str, dict[str, Any]] = {
    "text": {"type": "string", "minLength": 1, "maxLength": 400_000, "description": "The text, as plain text."},
    "title": {"type": "string", "maxLength": 500, "description": "Shown on the report."},
    "written_on": {"type": "string", "description": "Day of the text, for 'last year', e.g. 2026-05-31."},
    "speaker": {"type": "string", "maxLength": 100, "description": "Who says 'I' in the text."},
    "max_claims": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_CLAIMS,
        "description": f"Claims to judge, those most worth checking first; {MAX_CLAIMS} if left out.",
    },
    "as_of": _AS_OF,
}


def _check(checks: CheckRunner, arguments: dict[str, Any], progress: Progress) -> Reply:
    """Check a text as `looksy check` does; what has settled is kept."""
    from service.checks.report import to_markdown
    from service.checks.report.view import view_check
    from service.checks.request import check_request

    given = {name: value for name, value in arguments.items() if value is not None}
    most = _whole(given.get("max_claims", MAX_CLAIMS), field="max_claims", most=MAX_CLAIMS)
    request = check_request(given | {"max_claims": most})
    stored = checks.begin(request)
    checked = checks.finish(stored, progress=progress)
    structured = checked.model_dump(mode="json")
    return Reply(to_markdown(view_check(stored.request, checked)), structured, is_error=checked.summary.failed > 0)


def _search(store: LazyStore, arguments: dict[str, Any]) -> Reply:
    query = check_text(arguments.get("query"), field="query")
    top_k = _whole(arguments.get("top_k", 5), field="top_k", most=MAX_SEARCH)
    passages = [
        {"text": document.content}
        | {name: document.meta.get(name) for name in ("headline", "url", "source", "published_at", "article_id")}
        for document in store.get().keyword_search(query, top_k=top_k)
    ]
    return Reply(json.dumps(passages, ensure_ascii=False), {"passages": passages})


def _whole(value: object, *, field: str, most: int) -> int:
    """
    Read a number from 1 to `most`; 2.0 is a whole number in JSON, true is not a number.

    :raises InputError: If it is not one.
    """
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
        raise InputError(f"{field} is {str(value)[:40]!r}; 1 to {most} are accepted", field=field)
    return number
