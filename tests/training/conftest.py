import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from models.hashes import file_hash
from training.data import packs
from training.recipe import EncoderShape, Recipe

TOWNS = ("avon", "bath", "cork", "derby", "essex", "flint", "gwent", "hull", "ilford", "jarrow", "kent", "leeds")
SENTENCE = "the bridge in opened closed on monday friday was by mayor marsh cost pounds who when where ? . it has no"
WORDS = (*SENTENCE.split(), *TOWNS)
SHAPE = EncoderShape(vocabulary=5 + len(WORDS), hidden=32, layers=2, heads=2, intermediate=64, positions=256)
MPNET_SHAPE = SHAPE.model_copy(update={"family": "mpnet", "positions": 258})
SPECIAL = {
    "bert": ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"],
    "mpnet": ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"],
}


@pytest.fixture
def tokenizer_file(tmp_path: Path) -> Path:
    """A word-level tokenizer of a few dozen words."""
    return save_tokenizer(tmp_path / "tokenizer.json", family="bert")


def save_tokenizer(file: Path, *, family: str) -> Path:
    """Write a tokenizer with the special tokens of a family."""
    vocabulary = {word: number for number, word in enumerate([*SPECIAL[family], *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(file))
    return file


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data root with one pack of mirrors, one of statements and one of questions, known by their hashes."""
    root = tmp_path / "data"
    root.mkdir()
    titles = [{"id": "Bridge_of_" + TOWNS[1], "title": "Bridge opens at last"}]
    written = {
        "tiny_mirrors": _mirrors(),
        "tiny_claims": _claims(),
        "tiny_titles": titles,
        "tiny_articles": _articles(),
        "tiny_twins": _twins(),
        "tiny_grids": _grids(),
        "tiny_parts": _parts(),
    }
    known = {}
    for name, rows in written.items():
        file = root / f"{name}.jsonl.gz"
        with gzip.open(file, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
        known[name] = packs.Pack(file=file.name, sha256=file_hash(file), licence="CC0", origin=name)
    squad = root / "tiny_squad.json.gz"
    with gzip.open(squad, "wt", encoding="utf-8") as out:
        json.dump({"data": _squad()}, out)
    known["tiny_squad"] = packs.Pack(file=squad.name, sha256=file_hash(squad), licence="CC0", origin="tiny_squad")
    monkeypatch.setattr(packs, "known_packs", lambda: known)
    return root


@pytest.fixture
def near_data(data: Path) -> Path:
    """The data root with two packs more: one article, and a row that names it."""
    body = (
        "Anna Marsh, a clerk at the town hall, was charged with theft of 4,200 pounds. "
        "The court in Paris met on Friday. The council approved the budget after a long debate in the evening."
    )
    article = {"id": "a1", "title": "Clerk in court", "date": "2019-05-06 10:00", "body": body}
    for name, row in (("tiny_news", article), ("tiny_used", {"article": "a1"})):
        file = data / f"{name}.jsonl.gz"
        with gzip.open(file, "wt", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
        packs.known_packs()[name] = packs.Pack(file=file.name, sha256=file_hash(file), licence="CC0", origin=name)
    return data


def _mirrors() -> list[dict[str, Any]]:
    return [
        {
            "id": f"m{number}",
            "passage": f"The bridge in {town} opened on Monday.",
            "mirror": f"The bridge in {town} closed on Monday.",
            "statements": [
                {"text": f"{town} has the bridge opened.", "label": "supports", "mirror_label": "refutes"},
                {"text": f"{town} has the bridge closed.", "label": "refutes", "mirror_label": "supports"},
                {"text": f"It cost pounds in {town}.", "label": "neutral"},
            ],
            "questions": [{"question": f"When was the bridge in {town} opened?", "answer": "Monday"}],
            "unanswerable": [f"Who opened the bridge in {town}?"],
            "split": "dev" if number % 4 == 0 else "train",
            "source": "squad: Bridge_of_" + town,
        }
        for number, town in enumerate(TOWNS)
    ]


def _claims() -> list[dict[str, Any]]:
    return [
        {
            "id": f"c{number}",
            "claim": f"Mayor Marsh was in {town}.",
            "evidence": f"The bridge in {town} was opened by Mayor Marsh.",
            "label": "not_supports" if number % 5 == 4 else "supports",
            "split": "train",
            "fold": number % 10,
            "group": f"g{number}",
        }
        for number, town in enumerate(TOWNS)
    ]


def _articles() -> list[dict[str, Any]]:
    """Articles whose second paragraph is about their bridge, before and behind others about nothing much."""
    return [
        {
            "id": town,
            "title": f"Bridge in {town}",
            "date": "2019-05-06 10:00",
            "body": f"{_filler('monday')}\n\n{_told(town)}\n\n{_filler('friday')}",
        }
        for town in TOWNS
    ]


def _told(town: str) -> str:
    return f"The bridge in {town} was opened\nby Mayor Marsh."


def _filler(day: str) -> str:
    return " ".join(["Who was where on", day, "when it closed?"] * 10)


def _twins() -> list[dict[str, Any]]:
    start = len(_filler("monday")) + 2
    return [
        {
            "id": f"t{number}",
            "article": town,
            "start": start,
            "end": start + len(_told(town)),
            "twins": [[f"Mayor Marsh opened {town}'s bridge.", f"Mayor Marsh closed {town}'s bridge."]],
            "open": [f"{town}'s bridge cost pounds."],
            "split": "dev" if number % 4 == 0 else "train",
        }
        for number, town in enumerate(TOWNS)
    ]


def _parts() -> list[dict[str, Any]]:
    """The same parts with what a mirror of each changes; every second one begins with title and date."""
    rows = []
    for number, row in enumerate(_twins()):
        headed = number % 2 == 0
        at = f"Bridge in {row['article']} (2019-05-06). " * headed + f"The bridge in {row['article']} was opened"
        (true, false), edits = row["twins"][0], [[at.index("opened"), len(at), "closed"]]
        statements = [
            {"text": true, "label": "supports", "mirror_label": "refutes"},
            {"text": false, "label": "refutes", "mirror_label": "supports"},
        ]
        rows.append({key: row[key] for key in ("id", "article", "start", "end", "split")})
        rows[-1] |= {"headed": headed, "edits": edits, "statements": statements}
    return rows


def _grids() -> list[dict[str, Any]]:
    """Mirrors of the twins' passages, in which the bridge was closed; the last one's pair does not turn."""
    rows = []
    for number, town in enumerate(TOWNS):
        at = f"The bridge in {town} was opened".index("opened")
        unturned = [0] if number == len(TOWNS) - 1 else []
        rows.append({"id": f"t{number}", "edits": [[at, at + len("opened"), "closed"]], "unturned": unturned})
    return rows


def _squad() -> list[dict[str, Any]]:
    articles = []
    for town in (*TOWNS, *(f"{town} two" for town in TOWNS), *(f"{town} {n}" for town in TOWNS for n in "abc")):
        context = f"It cost pounds. The bridge in {town} was closed on Friday. It was opened by Mayor Marsh."
        question = {
            "question": f"When was the bridge in {town} closed?",
            "answers": [{"text": "Friday", "answer_start": context.index("Friday")}],
        }
        other = {"context": f"The bridge in {town} has no mayor.", "qas": []}
        articles.append({"title": town, "paragraphs": [{"context": context, "qas": [question]}, other]})
    return articles


@pytest.fixture
def recipe() -> Recipe:
    """Twelve steps over everything, with a checkpoint every third."""
    return Recipe.model_validate(
        {
            "name": "tiny",
            "title": "Tiny evidence model",
            "seed": 3,
            "encoder": SHAPE.model_dump(),
            "start": {"base_sha256": "0" * 64},
            "tokens_per_batch": 256,
            "schedule": {"peak": 3e-3, "warmup": 2, "stable": 8, "cooling": 4},
            "mirror_weight": 1.0,
            "average": 0.5,
            "save_every": 3,
            "validate_every": 6,
            "validation": ["tiny_mirrors"],
            "limits": ["Good for nothing."],
            "sources": [
                {"kind": "mirrors", "packs": ["tiny_mirrors"], "rows": 12},
                {"kind": "statements", "packs": ["tiny_claims"], "rows": 6, "options": {"folds": [0, 1, 2, 3, 4]}},
                {"kind": "squad", "packs": ["tiny_squad"], "rows": 6},
                {"kind": "written", "packs": ["tiny_mirrors"], "rows": 6},
            ],
        }
    )
