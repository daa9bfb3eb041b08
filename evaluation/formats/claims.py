"""
Claims with labels: JSON lines with `claim` (or `text`) and `label`.

Optional: `id` (default: the line number), `evidence` (a text or a list of texts; none: the corpus is searched), `pair`
(rows that share it are one statement under two passages, or twin statements under one), `date` (evidence may not be
newer). SciFact's and FEVER's `claim`, `label` are read as they are; further fields are ignored. Rows of the sample's
form with `kind` question are left out.
"""

from pathlib import Path

from core.types import Model
from evaluation.formats.labels import NAMES, Label, map_label
from evaluation.formats.lines import fail, read_objects, text_field, text_list


class Claim(Model):
    """One claim."""

    id: str
    text: str
    label: Label
    evidence: tuple[str, ...] = ()
    """Empty: the corpus has to be searched."""
    pair: str | None = None
    date: str | None = None
    split: str = ""


def read_claims(path: Path) -> list[Claim]:
    """
    Read claims.

    :raises InputError: For a malformed line, an unknown label, an id that stands twice, or if some claims have
        evidence and others none.
    """
    claims: dict[str, Claim] = {}
    for line, row in read_objects(path):
        if row.get("kind") == "question":
            continue
        name = text_field(row, "id", path=path, line=line, required=False) or f"line-{line}"
        if name in claims:
            fail(path, line, f"claim {name} stands twice")
        written = text_field(row, "label", path=path, line=line)
        label = map_label(written)
        if label is None:
            known = "; ".join(f"{one.value}: {', '.join(names[:4])}" for one, names in NAMES.items())
            fail(path, line, f"the label is {written[:40]!r}", hint=f"Known names: {known}.")
        claims[name] = Claim(
            id=name,
            text=text_field(row, "claim" if "claim" in row else "text", path=path, line=line),
            label=label,
            evidence=tuple(text for text in text_list(row, "evidence", path=path, line=line) if text.strip()),
            pair=text_field(row, "pair", path=path, line=line, required=False) or None,
            date=text_field(row, "date", path=path, line=line, required=False) or None,
            split=text_field(row, "split", path=path, line=line, required=False),
        )
    if not claims:
        fail(path, 1, "no claims", hint='Write lines such as: {"claim": "...", "label": "supports"}')
    return list(claims.values())
