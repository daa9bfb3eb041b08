"""
How much a newsroom trusts the sources that an investigation finds: a list of its own, grades from 0 to 1.

A grade changes the order in which results are read, or leaves some out, only where the user asks for it. It is shown
beside the source and never enters the verdict. A source that the list does not grade is unknown: it is said to be, is
read in the middle, and is never left out.
"""

import functools
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

import yaml
from pydantic import Field, ValidationError

from core.errors import ConfigError, InputError
from core.publisher_types import PublisherType
from core.requests import input_error
from core.types import Model, Probability
from core.urls import ascii_hostname, hostname
from pipelines.query.source_types import source_type
from pipelines.systems.agent.backends.contract import Found
from pipelines.systems.agent.backends.domains import read_domains

FIELD = "source_grades"
_MIDDLE = 0.5
"""Where unknown sources stand in the order."""
_TYPES = frozenset(one.value.replace("_", " ") for one in PublisherType)
_HINT = "See docs/systems.md for the form of the file."


class Order(StrEnum):
    """In which order the results of a search are read."""

    RELEVANCE = "relevance"
    CREDIBILITY = "credibility"


class SourceGrades(Model):
    """A newsroom's list."""

    name: str = Field(default="", max_length=100)
    version: str = Field(default="", max_length=40)
    domains: dict[str, Probability] = Field(default_factory=dict)
    """Domain to grade; it holds for what is under the domain, too, unless a longer one is named."""
    types: dict[str, Probability] = Field(default_factory=dict)
    """Type of source, as the publisher files name it, to grade; for hosts that no domain covers."""


class Grade(Model):
    """What a list says of a source."""

    value: Probability | None
    """None: unknown."""
    why: str
    """For a person: the domain or type that the grade is of."""


def read_grades(path: Path) -> SourceGrades:
    """
    Read a list; one that has not changed is not read again.

    :raises ConfigError: If it is not there, is not valid YAML, or holds a bad domain, type or grade.
    """
    try:
        state = path.stat()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}", field=FIELD, hint="Check the path.") from error
    return _read(path, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=8)
def _read(path: Path, _changed: int, _size: int) -> SourceGrades:
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path} is not valid YAML: {error}", field=FIELD, hint=_HINT) from error
    if not isinstance(data, dict):
        raise ConfigError(f"{path} holds no 'domains:' or 'types:'", field=FIELD, hint=_HINT)
    try:
        grades = SourceGrades.model_validate(data | {"version": str(data.get("version", ""))})
        domains = {read_domains(name, field="domains")[0]: value for name, value in grades.domains.items()}
    except ValidationError as error:
        raise input_error(error, kind=ConfigError, hint=f"Mend {path}. {_HINT}") from error
    except (InputError, IndexError) as error:
        raise ConfigError(f"{path}: {error}", field=FIELD, hint=_HINT) from error
    types = {name.replace("_", " "): value for name, value in grades.types.items()}
    if strange := sorted(types.keys() - _TYPES):
        hint = f"Types: {', '.join(sorted(_TYPES))}."
        raise ConfigError(f"{path} grades {strange[0]!r}, which is not a type of source", field=FIELD, hint=hint)
    return grades.model_copy(update={"domains": domains, "types": types})


def grade_of(url: str, grades: SourceGrades) -> Grade:
    """Grade a source: by the longest domain that it is under, else by its type."""
    parts = ascii_hostname(url).split(".")
    for start in range(len(parts)):
        domain = ".".join(parts[start:])
        if domain in grades.domains:
            return Grade(value=grades.domains[domain], why=f"as {domain}")
    kind = source_type(url)
    if kind in grades.types:
        return Grade(value=grades.types[kind], why=f"as {kind}")
    return Grade(value=None, why="not in the list")


def grades_of(urls: Iterable[str], grades: SourceGrades) -> dict[str, Grade]:
    """Grade the hosts of addresses; best first, unknown ones last."""
    found = {hostname(url): grade_of(url, grades) for url in urls}
    return dict(sorted(found.items(), key=lambda pair: (pair[1].value is None, -(pair[1].value or 0.0), pair[0])))


def sift_by_grade(found: Found, grades: SourceGrades, *, order: Order, least: float) -> Found:
    """
    Order what a search found by grade, and leave out what is graded too low.

    :param order: By credibility: higher grades first, unknown as if 0.5, equals as the engine ranked them.
    :param least: Sources graded lower are left out and counted; unknown ones stay.
    """
    values = {name: grade_of(article.url, grades).value for name, article in found.articles.items()}
    kept = [one for one in found.documents if (value := values[one.id]) is None or value >= least]
    if order is Order.CREDIBILITY:
        kept.sort(key=lambda one: -(_MIDDLE if (value := values[one.id]) is None else value))
    names = {found.articles[one.id].article_id for one in kept}
    below = {article.article_id: article.url for article in found.articles.values() if article.article_id not in names}
    return found.model_copy(
        update={
            "documents": tuple(kept),
            "articles": {one.id: found.articles[one.id] for one in kept},
            "left_out": found.left_out + len(found.documents) - len(kept),
            "below": tuple(below.values()),
        }
    )
