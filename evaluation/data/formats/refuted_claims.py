"""
Refuted claims with the quotes that a reply may rest on: JSON lines with `claim` and `evidence`.

`evidence` is a list of objects with `quote` and `url`. Optional in them: `relation` (`refutes`, the default, or
`mentions`), `text` (the article or a part of it, in which the quote stands verbatim; the sentences beside the quote are
shown to the model as at run time), `headline`, `source` (default: the URL's host), `published_at` (a day or a time).
Optional in a line: `id` (default: the line's number), `reply` (what a person would answer, without links; it cites
articles as Doc[1], Doc[2], ... in the order of the evidence, those with a quote that refutes before the others), `tone`
(`plain`, the default, or `empathetic`) and `length` (`normal`, the default, or `short`). Further fields are ignored.
"""

import unicodedata
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.requests import parse_time
from core.types import Model, Relation, UtcTime
from core.urls import hostname
from evaluation.data.formats.lines import fail, read_objects, row_id, text_field
from pipelines.systems.counter.compose import Length, Tone

_RELATIONS = (Relation.REFUTES, Relation.MENTIONS)
_EXAMPLE = 'Write lines such as: {"claim": "...", "evidence": [{"quote": "...", "url": "https://..."}]}'


class GivenQuote(Model):
    """One piece of evidence as the file has it."""

    quote: str
    url: str
    relation: Relation
    text: str
    """Where the quote stands; the quote itself where nothing else was given."""
    headline: str
    source: str
    published_at: UtcTime | None


class RefutedClaim(Model):
    """One line."""

    id: str
    claim: str
    evidence: tuple[GivenQuote, ...]
    """At least one that refutes."""
    reply: str
    """Empty: none was written."""
    tone: Tone
    length: Length


def read_refuted_claims(path: Path) -> list[RefutedClaim]:
    """
    Read the claims of a file.

    :raises InputError: For the first line that is wrong, with file, line and field; for a file without claims.
    """
    claims: dict[str, RefutedClaim] = {}
    for line, row in read_objects(path):
        one = _claim(row, row_id(row, claims, path=path, line=line), path, line)
        if one.id in claims:
            fail(path, line, f"id {one.id!r} stands twice", hint="Give each line an id of its own, or none.")
        claims[one.id] = one
    if not claims:
        fail(path, 1, "no claims", hint=_EXAMPLE)
    return list(claims.values())


def _claim(row: dict[str, Any], name: str, path: Path, line: int) -> RefutedClaim:
    claim = text_field(row, "claim", path=path, line=line)
    given = row.get("evidence")
    if not isinstance(given, list) or not given:
        fail(path, line, "evidence is missing, empty or not a list", hint=_EXAMPLE)
    quotes = tuple(_quote(item, path, line, number) for number, item in enumerate(given, 1))
    if not any(one.relation is Relation.REFUTES for one in quotes):
        fail(path, line, "no quote in evidence has the relation 'refutes'", hint="A reply rests on one that does.")
    return RefutedClaim(
        id=name,
        claim=claim,
        evidence=quotes,
        reply=text_field(row, "reply", path=path, line=line, required=False).strip(),
        tone=Tone(_choice(row, "tone", tuple(Tone), path, line)),
        length=Length(_choice(row, "length", (Length.NORMAL, Length.SHORT), path, line)),
    )


def _quote(item: object, path: Path, line: int, number: int) -> GivenQuote:
    if not isinstance(item, dict):
        fail(path, line, f"evidence {number} is {type(item).__name__}, not an object", hint=_EXAMPLE)
    row = {f"evidence {number}: {name}": value for name, value in item.items()}

    def text(name: str, *, required: bool = False) -> str:
        found = text_field(row, f"evidence {number}: {name}", path=path, line=line, required=required)
        return unicodedata.normalize("NFC", found).strip()

    quote, url = text("quote", required=True), text("url", required=True)
    if not url.lower().startswith(("http://", "https://")) or not hostname(url):
        fail(path, line, f"evidence {number}: url is {url[:80]!r}", hint="Write http://... or https://...")
    body = text("text") or quote
    if quote not in body:
        fail(path, line, f"evidence {number}: quote does not stand in text, to the letter", hint="Copy it from there.")
    source = text("source") or hostname(url)
    return GivenQuote(
        quote=quote,
        url=url,
        relation=Relation(_choice(item, "relation", _RELATIONS, path, line)),
        text=body,
        headline=text("headline") or source,
        source=source,
        published_at=_time(text("published_at"), path, line, number),
    )


def _choice(row: dict[str, Any], name: str, known: tuple[str, ...], path: Path, line: int) -> str:
    """Return a field that has one of a few values; the first is the default."""
    value = row.get(name, known[0])
    if value not in known:
        fail(path, line, f"{name} is {value!r}", hint=f"Write one of: {', '.join(known)}.")
    return str(value)


def _time(written: str, path: Path, line: int, number: int) -> UtcTime | None:
    try:
        return parse_time(written, field="published_at") if written else None
    except InputError as error:
        fail(path, line, f"evidence {number}: published_at: {error.message}", hint=error.hint)
