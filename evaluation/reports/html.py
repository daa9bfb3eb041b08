"""A report as one HTML page that needs no network."""

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from core.paths import ROOT
from evaluation.reports.models import Report
from evaluation.reports.svg import draw
from evaluation.reports.text import cell, interval, number, timing_line

TEMPLATE = "report.html.jinja"
MOST_DETAILS = 2000
"""Items in the drill-down; the rest is in per_query.jsonl."""


def to_html(report: Report) -> str:
    """Write the report for a browser, figures drawn as inline SVG."""
    environment = Environment(
        loader=FileSystemLoader(ROOT / "evaluation" / "reports"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters.update(number=number, interval=interval, cell=cell, draw=draw, timing=timing_line)
    return environment.get_template(TEMPLATE).render(
        report=report, details=report.details[:MOST_DETAILS], hidden=max(0, len(report.details) - MOST_DETAILS)
    )
