"""
Claims, each with the texts of a pool that bear on it.

| what PATH is | read as |
|---|---|
| a folder with `claims.jsonl[.gz]`, or such a file, and its texts beside it | Check-COVID and SciFact |
| what `retrieval_data.py` reads: BEIR, TREC with a corpus, the sample's form, keyword logic | queries as claims |

Claims: `claim` (or `text`), `gold_abstract` or `cited_doc_ids` (an id or a list), optional `id` and `split`. Texts:
`abstracts.jsonl[.gz]`, or a corpus of any form that `corpus.py` reads.
"""

from pathlib import Path
from typing import Any

from core.errors import InputError, NotFoundError
from core.types import Model
from evaluation.data.formats.corpus import read_corpus
from evaluation.data.formats.lines import fail, read_objects, row_id, text_field, text_list
from evaluation.data.formats.retrieval_data import find_corpus, read_retrieval_data

_CLAIMS = ("claims.jsonl", "claims.jsonl.gz")
_ABSTRACTS = ("abstracts.jsonl", "abstracts.jsonl.gz")
_GOLD = ("gold_abstract", "cited_doc_ids")
_TEST = "test"
_FORMS = "a folder with claims.jsonl and abstracts.jsonl, a BEIR folder, or another form of docs/evaluation.md"


class PoolClaim(Model):
    """A claim to find texts for."""

    id: str
    text: str
    right: tuple[str, ...]
    """Ids of the texts that bear on it; not empty."""
    split: str = ""


class ClaimPool(Model):
    """What rankers are compared on."""

    claims: tuple[PoolClaim, ...]
    texts: dict[str, str]
    """Id to title and text."""
    files: tuple[Path, ...]
    """All that was read."""
    note: str
    """What was read, for a report."""


def read_claim_pool(path: Path, *, split: str | None = None) -> ClaimPool:
    """
    Find out the form and read it.

    :param split: Of the claims. None: `test` where the data has such a split, else all of them.
    :raises NotFoundError: If there is nothing at the path.
    :raises InputError: If it is of no known form, a line is malformed, a claim names a text that is not there, or
        nothing is left; the message names file and line.
    """
    if not path.exists():
        raise NotFoundError(f"{path} is not there", field="pool", hint=f"Give {_FORMS}.")
    file = _claims_file(path)
    claims, where, files = _from_queries(path, split) if file is None else _from_lines(file, split)
    texts = {one.id: f"{one.headline}. {one.body}" for one in read_corpus(where)}
    lost = next((one for one in claims if not texts.keys() >= set(one.right)), None)
    if lost is not None:
        names = ", ".join(name for name in lost.right if name not in texts)
        raise InputError(f"claim {lost.id} is about {names[:80]}, which {where} does not hold", field="pool")
    splits = ", ".join(sorted({one.split for one in claims if one.split})) or "none named"
    note = f"Rankers are compared on {len(claims)} claims (split: {splits}) over the {len(texts)} texts of {path}."
    return ClaimPool(claims=claims, texts=texts, files=files, note=note)


def _claims_file(path: Path) -> Path | None:
    """Return the file of claims; None where the path is of another form."""
    if path.is_dir():
        return next((path / name for name in _CLAIMS if (path / name).is_file()), None)
    return path if path.suffix not in {".yaml", ".yml"} else None


def _from_lines(file: Path, split: str | None) -> tuple[tuple[PoolClaim, ...], Path, tuple[Path, ...]]:
    """Return the claims of a split, the file of the texts, and all files."""
    beside = next((file.parent / name for name in _ABSTRACTS if (file.parent / name).is_file()), None)
    texts = beside or find_corpus(file.parent)
    if texts is None:
        raise InputError(
            f"there are no texts beside {file}", field="pool", hint="Add abstracts.jsonl or corpus.jsonl to its folder."
        )
    claims: dict[str, PoolClaim] = {}
    for line, row in read_objects(file):
        claim = _claim(row, row_id(row, claims, path=file, line=line), file, line)
        if claim.id in claims:
            fail(file, line, f"claim {claim.id} stands twice")
        claims[claim.id] = claim
    return _of_split(tuple(claims.values()), split, file), texts, (file, texts)


def _claim(row: dict[str, Any], name: str, file: Path, line: int) -> PoolClaim:
    gold = next((name for name in _GOLD if name in row), _GOLD[0])
    right = text_list(row, gold, path=file, line=line)
    if not right:
        fail(file, line, f"{gold} is missing or empty", hint="Name the texts of the pool that bear on the claim.")
    return PoolClaim(
        id=name,
        text=text_field(row, "claim" if "claim" in row else "text", path=file, line=line),
        right=tuple(dict.fromkeys(right)),
        split=text_field(row, "split", path=file, line=line, required=False),
    )


def _of_split(claims: tuple[PoolClaim, ...], split: str | None, file: Path) -> tuple[PoolClaim, ...]:
    known = sorted({one.split for one in claims if one.split})
    wanted = split or (_TEST if _TEST in known else None)
    kept = tuple(one for one in claims if wanted in {None, one.split})
    if not kept:
        of_split = f" of split {wanted!r}" if wanted else ""
        there = ", ".join(known) or "none"
        raise InputError(f"{file} holds no claims{of_split}", field="pool", hint=f"Splits that are there: {there}.")
    return kept


def _from_queries(path: Path, split: str | None) -> tuple[tuple[PoolClaim, ...], Path, tuple[Path, ...]]:
    """Take judged queries for claims; those without any relevant text cannot be ranked for."""
    data = read_retrieval_data(path, split=split)
    if data.corpus is None:
        raise InputError(f"{path} holds no texts", field="pool", hint="Add corpus.jsonl.")
    graded = {name: tuple(text for text, grade in one.items() if grade > 0) for name, one in data.judgements.items()}
    claims = tuple(
        PoolClaim(id=name, text=text, right=graded[name], split=split or "")
        for name, text in data.queries.items()
        if text and graded.get(name)
    )
    if not claims:
        raise InputError(f"{path} holds no query with a relevant text", field="pool", hint="Check the judgements.")
    return claims, data.corpus, data.files
