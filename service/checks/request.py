"""What a text check is asked for, from untrusted fields, and the text of an article of the archive."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from core.errors import InputError, NotFoundError
from core.requests import input_error, parse_request
from core.urls import article_id
from indexing.stores.contract import EvidenceStore
from pipelines.systems.check import MAX_WORDS, CheckRequest
from pipelines.systems.registry import get_system

_OWN = frozenset(CheckRequest.model_fields) - {"as_of", "filters", "options"}


def check_request(fields: Mapping[str, Any]) -> CheckRequest:
    """
    Make a request from untrusted fields; those that are None were not given.

    :raises InputError: For the first field that cannot be used.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    text = given.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InputError("text is empty", field="text", hint="Give the text that is to be checked.")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError("text holds half characters", field="text", hint="Send it in UTF-8.")
    words = len(text.split())
    if words > MAX_WORDS:
        hint = "Check its parts one after the other."
        raise InputError(f"text has {words:,} words; at most {MAX_WORDS:,} are checked", field="text", hint=hint)
    shared = {name: value for name, value in given.items() if name not in _OWN}
    single = parse_request(shared | {"text": "any"})  # the same rules as for one query
    get_system("verify").check_options(single)
    try:
        return CheckRequest.model_validate(
            {name: value for name, value in given.items() if name in _OWN}
            | {"as_of": single.as_of, "filters": single.filters, "options": single.options}
        )
    except ValidationError as error:
        raise input_error(error, hint=f"Fields of check: {', '.join(CheckRequest.model_fields)}.") from error


def article_request(url: str, fields: Mapping[str, Any], store: EvidenceStore) -> CheckRequest:
    """
    Make a request to check an article of the archive, which is not evidence for itself, nor are copies of it.

    :raises NotFoundError: If the archive has no article of this address.
    """
    name = article_id(url)
    article = store.get_articles({name}).get(name)
    if article is None:
        raise NotFoundError(
            f"{url} is not in the archive",
            field="file",
            hint="Crawl or import it first, or save its text and give the file.",
        )
    day = article.published_at.date() if article.published_at else None
    options = dict(fields.get("options") or {}) | {"without_origins": article.origin_id or article.article_id}
    own = {"text": article.body, "title": article.headline, "url": article.url, "options": options}
    return check_request({**fields, **own, "written_on": fields.get("written_on") or day})
