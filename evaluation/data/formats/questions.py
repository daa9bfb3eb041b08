"""
The bundled sample's queries: JSON lines with `id`, `kind`, `text` and, by kind, `answers`, `article_ids`, `label`, ...

Rows that name `article_ids` serve retrieval: those articles are relevant (grade 1). `near_ids` look right and are not.
"""

from pathlib import Path

from core.types import Model, QueryKind
from evaluation.data.formats.lines import fail, read_objects, text_field, text_list

HOLDS_ANSWER = 1


class QueryRow(Model):
    """One question or statement with its gold."""

    id: str
    kind: QueryKind
    text: str
    answers: tuple[str, ...] = ()
    article_ids: tuple[str, ...] = ()
    near_ids: tuple[str, ...] = ()
    label: str | None = None
    answerable: bool = True
    quote: str = ""
    split: str = ""


def read_queries(path: Path) -> list[QueryRow]:
    """
    Read a query list.

    :raises InputError: For a malformed line, an unknown kind, or an id that stands twice.
    """
    rows: dict[str, QueryRow] = {}
    for line, row in read_objects(path):
        name = text_field(row, "id", path=path, line=line)
        kind = text_field(row, "kind", path=path, line=line)
        if kind not in list(QueryKind):
            fail(path, line, f"kind is {kind!r}", hint="Write question or statement.")
        if name in rows:
            fail(path, line, f"query {name} stands twice")
        rows[name] = QueryRow(
            id=name,
            kind=QueryKind(kind),
            text=text_field(row, "text", path=path, line=line),
            answers=text_list(row, "answers", path=path, line=line),
            article_ids=text_list(row, "article_ids", path=path, line=line),
            near_ids=text_list(row, "near_ids", path=path, line=line),
            label=text_field(row, "label", path=path, line=line, required=False) or None,
            answerable=row.get("answerable", True) is not False,
            quote=text_field(row, "quote", path=path, line=line, required=False),
            split=text_field(row, "split", path=path, line=line, required=False),
        )
    if not rows:
        fail(path, 1, "no queries")
    return list(rows.values())
