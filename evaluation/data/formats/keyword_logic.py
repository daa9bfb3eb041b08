"""
A query list whose relevance is keyword logic (`evaluation.measures.expressions`), in YAML.

::

    corpus: articles.jsonl.gz        # optional; beside this file
    queries:
      - question: q01                # or id
        text: How many lives had the epidemic cost?
        grades:
          1: 'Samoa* AND measles'
          2: 'Samoa* AND measles AND "lost their lives"'

`on_story` and `has_answer` stand for grades 1 and 2, `relevant` for grade 1 alone. The highest grade whose expression
matches counts. The list may also stand alone, without `queries:`. `grade_1`, `grade_2`, ...: ids that the expressions
must yield; a difference is a warning.
"""

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from core.errors import InputError, NotFoundError
from core.types import Model
from evaluation.data.formats.corpus import CorpusArticle
from evaluation.measures.expressions.document import searchable
from evaluation.measures.expressions.nodes import Node
from evaluation.measures.expressions.parse import parse_expression

_NAMED_GRADES = {"relevant": 1, "on_story": 1, "has_answer": 2}
_IDS = (str, int, float, date)
"""What YAML makes of an id without quotes. It makes true or false of `yes` and `no`: which it was cannot be told."""
_KNOWN = {"question", "id", "text", "grades", *_NAMED_GRADES}


class LogicQuery(Model):
    """One query with an expression for each grade."""

    id: str
    text: str
    expressions: dict[int, str]
    expected: dict[int, tuple[str, ...]] = Field(default_factory=dict)
    """Grade to the ids that must get it; empty: nothing is expected."""


class LogicFile(Model):
    """A query list."""

    queries: tuple[LogicQuery, ...]
    corpus: Path | None = None


class LogicJudgements(Model):
    """What the expressions yield."""

    judgements: dict[str, dict[str, int]]
    articles: int
    """In the corpus."""
    warnings: tuple[str, ...]


def read_logic(path: Path) -> LogicFile:
    """
    Read a query list.

    :raises InputError: Naming line and query for a missing text, a grade that is not a positive number, or a wrong
        expression.
    """
    if not path.is_file():
        raise NotFoundError(f"{path} is not there", field="data", hint="Check the path.")
    try:
        text = path.read_text(encoding="utf-8")
        content = yaml.safe_load(text)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not valid YAML: {error}", field="data", hint="Mend the file.") from error
    rows = content.get("queries") if isinstance(content, dict) else content
    if not isinstance(rows, list) or not rows:
        raise InputError(f"{path} holds no list of queries", field="data", hint="See docs/evaluation.md.")
    queries: dict[str, LogicQuery] = {}
    for number, (row, line) in enumerate(zip(rows, _first_lines(text), strict=True), 1):
        where = f"{path}, line {line}, query {number}"
        query = _query(row, where)
        if query.id in queries:
            raise InputError(f"{where}: query {query.id} stands twice", field="data")
        queries[query.id] = query
    corpus = content.get("corpus") if isinstance(content, dict) else None
    return LogicFile(queries=tuple(queries.values()), corpus=path.parent / str(corpus) if corpus else None)


def judge(queries: Iterable[LogicQuery], articles: Iterable[CorpusArticle]) -> LogicJudgements:
    """
    Apply every expression to every article, reading the articles once.

    Warns of a query that gets no article, one that gets all of them, and one that differs from what it expects.
    """
    listed = list(queries)
    parsed: dict[str, list[tuple[int, Node]]] = {
        query.id: [(grade, parse_expression(text)) for grade, text in sorted(query.expressions.items(), reverse=True)]
        for query in listed
    }
    judgements: dict[str, dict[str, int]] = {query.id: {} for query in listed}
    count = 0
    for article in articles:
        count += 1
        fields = searchable(article)
        for name, grades in parsed.items():
            grade = next((grade for grade, node in grades if node.matches(fields)), 0)
            if grade:
                judgements[name][article.id] = grade
    warnings = [warning for query in listed for warning in _check(query, judgements[query.id], count)]
    return LogicJudgements(
        judgements={name: found for name, found in judgements.items() if found},
        articles=count,
        warnings=tuple(warnings),
    )


def _check(query: LogicQuery, found: dict[str, int], articles: int) -> list[str]:
    if not found:
        return [f"query {query.id}: no article is relevant; it is left out of the measures"]
    warnings = []
    if len(found) == articles:
        warnings.append(f"query {query.id}: all {articles} articles are relevant; the expression tells nothing apart")
    for grade, expected in query.expected.items():
        got = {name for name, value in found.items() if value == grade}
        missing, extra = sorted(set(expected) - got), sorted(got - set(expected))
        if missing or extra:
            parts = [f"lacks {', '.join(missing)}" if missing else "", f"adds {', '.join(extra)}" if extra else ""]
            warnings.append(f"query {query.id}, grade {grade}: {' and '.join(part for part in parts if part)}")
    return warnings


def _first_lines(text: str) -> list[int]:
    """Return the line that each query of the list begins on."""
    node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    if isinstance(node, yaml.MappingNode):
        node = next(value for key, value in node.value if key.value == "queries")
    return [entry.start_mark.line + 1 for entry in node.value]


def _query(row: object, where: str) -> LogicQuery:
    if not isinstance(row, dict):
        raise InputError(f"{where}: not a mapping", field="data", hint="See docs/evaluation.md.")
    names = [str(row[key]) for key in ("id", "question") if type(row.get(key)) in _IDS]
    name, text = next(filter(None, names), ""), row.get("text")
    if not name or not isinstance(text, str) or not text.strip():
        raise InputError(f"{where}: needs an id (or question) and a text", field="data")
    unknown = sorted(key for key in row if key not in _KNOWN and not str(key).startswith("grade_"))
    if unknown:
        raise InputError(f"{where} ({name}): {unknown[0]} is not a known key", field="data")
    expressions = _expressions(row, f"{where} ({name})")
    expected = {
        int(key.removeprefix("grade_")): _ids(value, key, f"{where} ({name})")
        for key, value in row.items()
        if str(key).startswith("grade_") and str(key).removeprefix("grade_").isdecimal()
    }
    return LogicQuery(id=name, text=" ".join(text.split()), expressions=expressions, expected=expected)


def _ids(value: object, key: str, where: str) -> tuple[str, ...]:
    """Return the ids that a grade must yield; one text stands for a list of one, nothing for an empty list."""
    entries = [value] if isinstance(value, str) and value else value or []
    if not isinstance(entries, list) or not all(type(entry) in _IDS for entry in entries):
        raise InputError(f"{where}: {key} is not a list of ids", field="data", hint=f"Write {key}: [d1, d2].")
    return tuple(str(entry) for entry in entries)


def _expressions(row: dict[str, Any], where: str) -> dict[int, str]:
    grades = row.get("grades") or {}
    if not isinstance(grades, dict):
        raise InputError(f"{where}: grades is not a mapping", field="data", hint="Write grades: {1: 'an expression'}.")
    graded: dict[Any, Any] = {
        **grades,
        **{grade: row[key] for key, grade in _NAMED_GRADES.items() if row.get(key) is not None},
    }
    expressions: dict[int, str] = {}
    for grade, expression in graded.items():
        if not isinstance(grade, int) or grade < 1:
            raise InputError(f"{where}: the grade is {grade!r}; it must be 1, 2, ...", field="data")
        if not isinstance(expression, str):
            raise InputError(f"{where}: the expression of grade {grade} is not text", field="data")
        try:
            parse_expression(expression)
        except InputError as error:
            raise InputError(f"{where}: {error.message}", field="data", hint=error.hint) from error
        expressions[grade] = expression
    if not expressions:
        raise InputError(f"{where}: no expression", field="data", hint="Give on_story, has_answer or grades.")
    return expressions
