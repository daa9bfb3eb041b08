"""A report as one page that needs nothing else: no script, no font, no other host; it prints on paper."""

from pathlib import Path
from typing import Any

import jinja2

from core import __version__
from pipelines.rendering.escape import safe_url
from service.desk.types import CHECKLIST, REASONS
from service.reports.document import quoted
from service.reports.history import change_words
from service.reports.source import ReportSource
from service.web.view import RELATION_WORDS, WORDS, in_order, tone_of, view_result

_FOLDER = Path(__file__).parent
_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_FOLDER),
    autoescape=True,
    finalize=in_order,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATE = "report.html.j2"


def to_html(source: ReportSource) -> str:
    """Write a report. Everything from articles and people is escaped, and links lead to http and https alone."""
    view = view_result(source.result, source.articles)
    by_number = {reference.number: reference for reference in source.result.references}
    values: dict[str, Any] = {
        "source": source,
        "view": view,
        "result": source.result,
        "check": source.check,
        "tone": tone_of(source.result.status, source.verdict),
        "word": WORDS[source.verdict] if source.verdict else view.word,
        "words": {verdict.value: word for verdict, word in WORDS.items()},
        "relations": {relation.value: word for relation, word in RELATION_WORDS.items()},
        "reasons": REASONS,
        "checklist": CHECKLIST,
        "articles": [(one, by_number[one.number]) for one in quoted(source)],
        "conflicts": source.conflicts,
        "change_words": change_words,
        "safe_url": safe_url,
        "version": __version__,
    }
    return _templates.get_template(TEMPLATE).render(values)
