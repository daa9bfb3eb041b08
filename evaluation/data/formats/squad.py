"""SQuAD 1.1 and 2.0 JSON, plain or gzip, and prediction files of the official script (`{"id": "answer", ...}`)."""

import gzip
import json
import math
from pathlib import Path
from typing import Any

from core.errors import InputError, NotFoundError
from core.files import UNREADABLE
from core.types import Model
from evaluation.data.formats.lines import HALF_CHARACTER, holds_half_character


class SquadQuestion(Model):
    """One question over one paragraph."""

    id: str
    question: str
    context: str
    answers: tuple[str, ...]
    """Empty: it cannot be answered from the paragraph."""


def read_squad(path: Path) -> list[SquadQuestion]:
    """
    Read questions.

    :raises InputError: Naming the place (`data[3].paragraphs[0].qas[2]`) of what is missing or of the wrong kind.
    """
    content = read_json(path)
    if not isinstance(content, dict) or not isinstance(content.get("data"), list):
        raise InputError(f"{path} has no list 'data'", field="data", hint="Give a SQuAD 1.1 or 2.0 file.")
    questions: dict[str, SquadQuestion] = {}
    for a, article in enumerate(content["data"]):
        for p, paragraph in enumerate(_list(article, "paragraphs", f"{path}: data[{a}]")):
            place = f"{path}: data[{a}].paragraphs[{p}]"
            context = _text(paragraph, "context", place)
            for q, row in enumerate(_list(paragraph, "qas", place)):
                question = _question(row, context, f"{place}.qas[{q}]")
                if question.id in questions:
                    raise InputError(f"{place}.qas[{q}]: question {question.id} stands twice", field="data")
                questions[question.id] = question
    if not questions:
        raise InputError(f"{path} holds no questions", field="data")
    return list(questions.values())


def read_answers(path: Path) -> dict[str, str]:
    """
    Read a prediction file: question id to answer, "" for none.

    :raises InputError: If it is not an object of texts.
    """
    content = read_json(path)
    if not isinstance(content, dict) or not all(isinstance(value, str) for value in content.values()):
        raise InputError(f"{path} is not an object of question id to answer text", field="predictions")
    return content


def read_no_answer(path: Path) -> dict[str, float]:
    """
    Read a file of no-answer probabilities: question id to number.

    :raises InputError: If it is not an object of numbers, or holds NaN or an infinite one.
    """
    content = read_json(path)
    if not isinstance(content, dict) or not all(isinstance(value, int | float) for value in content.values()):
        raise InputError(f"{path} is not an object of question id to number", field="na_prob")
    odd = next((name for name, value in content.items() if not math.isfinite(value)), None)
    if odd is not None:
        raise InputError(f"{path}: the number of question {odd} is {content[odd]}", field="na_prob")
    return {name: float(value) for name, value in content.items()}


def read_json(path: Path) -> Any:
    """
    Read a JSON file.

    :raises NotFoundError: If it is not there.
    :raises InputError: If it is not valid JSON, where the message names line and column, or holds half a character.
    """
    if not path.is_file():
        raise NotFoundError(f"{path} is not there", field="data", hint="Check the path.")
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = raw.decode("utf-8-sig")
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}, line {error.lineno}, column {error.colno}: this is not valid JSON: {error.msg}", field="data"
        ) from error
    except (UnicodeDecodeError, RecursionError, *UNREADABLE) as error:
        raise InputError(f"{path} cannot be read: {error}", field="data") from error
    if holds_half_character(text, content):
        raise InputError(f"{path} {HALF_CHARACTER}", field="data")
    return content


def _question(row: Any, context: str, place: str) -> SquadQuestion:
    answers = [_text(answer, "text", f"{place}.answers") for answer in _list(row, "answers", place)]
    if isinstance(row, dict) and row.get("is_impossible"):
        answers = []
    return SquadQuestion(
        id=_text(row, "id", place), question=_text(row, "question", place), context=context, answers=tuple(answers)
    )


def _list(row: Any, name: str, place: str) -> list[Any]:
    if not isinstance(row, dict) or not isinstance(row.get(name), list):
        raise InputError(f"{place} has no list {name!r}", field="data", hint="Give a SQuAD 1.1 or 2.0 file.")
    return list(row[name])


def _text(row: Any, name: str, place: str) -> str:
    if not isinstance(row, dict) or not isinstance(row.get(name), str):
        raise InputError(f"{place} has no text {name!r}", field="data", hint="Give a SQuAD 1.1 or 2.0 file.")
    return str(row[name])
