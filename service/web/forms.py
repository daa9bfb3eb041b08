"""What the page's forms send, as request fields."""

import re
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request

from core.errors import InputError
from pipelines.contracts.system import SystemInfo
from service.web.options import read_options

MAX_FIELDS = 200
_OWN_PLACE = re.compile(r"/(?![/\\])[!-~]*")  # browsers take // and /\ for the start of another host


async def read_form(request: Request) -> dict[str, list[str]]:
    """
    Read a form, sent as `application/x-www-form-urlencoded`. A line end, which browsers send as two characters
    and count as one against `maxlength`, is one.

    :raises InputError: If it is not UTF-8, or has too many fields.
    """
    try:
        text = (await request.body()).decode("utf-8")
        fields = parse_qs(text, keep_blank_values=False, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError as error:
        raise InputError("the form cannot be read", field="form", hint="Send it from the page.") from error
    return {name: [value.replace("\r\n", "\n") for value in values] for name, values in fields.items()}


def query_fields(form: dict[str, list[str]], system: SystemInfo) -> dict[str, Any]:
    """
    Return the fields of a `core.types.Request` that the ask form holds.

    :raises InputError: If an option of the system that is a number holds none.
    """
    filters = {
        "published_from": first(form, "published_from"),
        "published_to": first(form, "published_to"),
        "sources": form.get("source") or None,
    }
    filters = {name: value for name, value in filters.items() if value}
    return {
        "text": first(form, "text") or "",
        "kind": first(form, "kind"),
        "as_of": first(form, "as_of"),
        "blind": first(form, "blind") is not None or None,
        "filters": filters or None,
        "options": read_options(system, form) or None,
    }


def first(form: dict[str, list[str]], name: str) -> str | None:
    """Return the first value of a field; None where it is not there."""
    return next(iter(form.get(name, [])), None)


def own_place(text: str | None) -> str:
    """Return a path of this site, with its query; `/` for anything else, so that no link leads elsewhere."""
    return text if text and _OWN_PLACE.fullmatch(text) else "/"


def place_after_sign_in(request: Request) -> str:
    """Return where to go on after signing in: to the page that was asked for, or that the sign-in form names."""
    if request.method not in {"GET", "HEAD"}:
        return own_place(getattr(request.state, "place", None))
    query = f"?{request.url.query}" if request.url.query else ""
    return own_place(request.url.path + query)
