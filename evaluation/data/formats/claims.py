"""
Claims with labels: JSON lines with `claim` (or `statement`, `text`) and `label` (or `claim_label`).

Optional: `id` (default: the line number), `evidence` (a text or a list of texts; none: the corpus is searched), `pair`
(rows that share it are one statement under two passages, or twin statements under one), `date` (ISO 8601; evidence may
not be newer), `phenomenon` (what the claim tests: the report then has a table by it). Climate-FEVER's `evidences`
(objects with `evidence`) and AVeriTeC's `questions` with `answers` are read too. The pointers of FEVER (nested lists)
and SciFact (an object that holds the label too) are not text. They do not count as evidence. Other fields are ignored.
Rows of the sample's form with `kind` question are left out.
"""

from pathlib import Path
from typing import Any

from core.errors import InputError
from core.requests import parse_time
from core.types import Model
from evaluation.data.formats.labels import NAMES, Label, map_label
from evaluation.data.formats.lines import fail, read_objects, row_id, text_field, text_list

_TEXTS, _LABELS = ("claim", "statement", "text"), ("label", "claim_label")


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
    phenomenon: str = ""


def read_claims(path: Path) -> list[Claim]:
    """
    Read claims.

    :raises InputError: For a malformed line, an unknown label, a date that is none, or an id that stands twice.
    """
    claims: dict[str, Claim] = {}
    for line, row in read_objects(path):
        if row.get("kind") == "question":
            continue
        name = row_id(row, claims, path=path, line=line)
        if name in claims:
            fail(path, line, f"claim {name} stands twice")
        written = _label(row, path, line)
        label = map_label(written)
        if label is None:
            known = "; ".join(f"{one.value}: {', '.join(names[:4])}" for one, names in NAMES.items())
            fail(path, line, f"the label is {written[:40]!r}", hint=f"Known names: {known}.")
        claims[name] = Claim(
            id=name,
            text=text_field(row, _present(row, _TEXTS), path=path, line=line),
            label=label,
            evidence=_evidence(row, path, line),
            pair=text_field(row, "pair", path=path, line=line, required=False) or None,
            date=_date(row, path, line),
            split=text_field(row, "split", path=path, line=line, required=False),
            phenomenon=text_field(row, "phenomenon", path=path, line=line, required=False),
        )
    if not claims:
        fail(path, 1, "no claims", hint='Write lines such as: {"claim": "...", "label": "supports"}')
    return list(claims.values())


def _label(row: dict[str, Any], path: Path, line: int) -> str:
    name = _present(row, _LABELS)
    if name not in row and isinstance(row.get("evidence"), dict):
        return _label_of_pointers(row["evidence"], path, line)
    written = text_field(row, name, path=path, line=line)
    if written.lstrip("-").isdigit():
        fail(path, line, f"the label is the number {written}", hint="Data sets number labels differently: write names.")
    return written


def _label_of_pointers(evidence: dict[str, Any], path: Path, line: int) -> str:
    """SciFact: the label stands in the pointers to the evidence; no pointers, no evidence."""
    pointers = [one for several in evidence.values() if isinstance(several, list) for one in several]
    if not all(isinstance(one, dict) for one in pointers):
        fail(path, line, "label is missing, and the evidence holds none", hint="Every line needs 'label'.")
    return str(next((one.get("label") for one in pointers), "not enough info"))


def _date(row: dict[str, Any], path: Path, line: int) -> str | None:
    written = text_field(row, "date", path=path, line=line, required=False).strip()
    try:
        return written if written and parse_time(written, field="date") else None
    except InputError as error:
        fail(path, line, error.message, hint=error.hint)


def _present(row: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in row), names[0])


def _evidence(row: dict[str, Any], path: Path, line: int) -> tuple[str, ...]:
    several = row.get("evidences")
    if "evidence" not in row and isinstance(several, list):
        row = {"evidence": [one.get("evidence") if isinstance(one, dict) else one for one in several]}
    given = row.get("evidence")
    if given is None and isinstance(row.get("questions"), list):
        return _question_answers(row["questions"])
    if isinstance(given, dict) and all(isinstance(one, list) for one in given.values()):
        return ()
    if isinstance(given, list) and given and all(isinstance(one, list) for one in given):
        return ()
    return tuple(text for text in text_list(row, "evidence", path=path, line=line) if text.strip())


def _question_answers(questions: list[Any]) -> tuple[str, ...]:
    """AVeriTeC: each answer with its question is a piece of evidence."""
    return tuple(
        f"{question.get('question', '')} {answer['answer']}".strip()
        for question in questions
        if isinstance(question, dict)
        for answer in question.get("answers") or ()
        if isinstance(answer, dict) and isinstance(answer.get("answer"), str) and answer["answer"].strip()
    )
