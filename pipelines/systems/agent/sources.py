"""The sources that an investigation found, each with its grade, as a part of the result."""

from collections import Counter
from collections.abc import Sequence

from core.counting import counted
from core.types import Reference, Section
from core.urls import hostname
from pipelines.systems.agent.credibility import Grade, Order, grades_of
from pipelines.systems.agent.types import Trace

KIND = "sources"


def graded_sources(trace: Trace, references: Sequence[Reference]) -> tuple[Section, ...]:
    """
    List every source that was found with its grade, unknown ones too; best first.

    :param references: What the answer rests on.
    :returns: One section; none where no list of grades is configured.
    """
    grades = trace.source_filter.grades
    if grades is None:
        return ()
    found = Counter(hostname(url) for url in {article.url for one in trace.rounds for article in one.articles})
    dropped = {url for one in trace.rounds for url in one.below}
    cited: dict[str, list[int]] = {}
    for reference in references:
        cited.setdefault(hostname(reference.url), []).append(reference.number)
    by_host = grades_of([*(article.url for one in trace.rounds for article in one.articles), *sorted(dropped)], grades)
    named = " ".join(part for part in (grades.name, grades.version) if part)
    section = Section(
        kind=KIND,
        title="Sources by credibility",
        label=named or None,
        text=_what_it_did(trace),
        lines=tuple(_line(host, grade, found[host], cited.get(host, [])) for host, grade in by_host.items()),
        numbers=tuple(sorted(number for numbers in cited.values() for number in numbers)),
        scores={host: grade.value for host, grade in by_host.items() if grade.value is not None},
    )
    return (section,)


def _what_it_did(trace: Trace) -> str:
    source_filter = trace.source_filter
    did = ["The grades, 0 to 1, are this installation's own list. They do not enter the verdict."]
    if source_filter.order is Order.CREDIBILITY:
        did.append("Sources with higher grades were read first, unknown ones as if graded 0.5.")
    if source_filter.least_grade > 0:
        did.append(f"Sources graded below {source_filter.least_grade:g} were left out, unknown ones were not.")
    return " ".join(did)


def _line(host: str, grade: Grade, found: int, cited: Sequence[int]) -> str:
    value = "unknown" if grade.value is None else f"{grade.value:.2f}"
    articles = f"{counted(found, 'article')} found" if found else "left out"
    used = "".join(f" Doc[{number}]" for number in sorted(cited))
    return f"{host}: {value}, {grade.why}; {articles}{', cited:' + used if used else ''}."
