"""A checked text as one HTML file that needs nothing else: no script, no address to fetch from."""

from functools import cache
from pathlib import Path

import jinja2

from service.checks.report.view import IS_NOT, NOT_CHECKABLE, WORDS, CheckView

_WEB = Path(__file__).parents[2] / "web"
STYLES = _WEB / "static" / "check.css"


@cache
def environment() -> jinja2.Environment:
    """Return the templates of checked texts; everything that goes into them is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_WEB / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= globals_of_checks()
    return made


def globals_of_checks() -> dict[str, object]:
    """Return the words that the templates use."""
    return {
        "check_words": WORDS,
        "not_checkable": {one.value: words for one, words in NOT_CHECKABLE.items()},
        "is_not": IS_NOT,
    }


def to_html(view: CheckView) -> str:
    """Write the report."""
    styles = STYLES.read_text(encoding="utf-8")
    return environment().get_template("check_report.html.j2").render(view=view, styles=styles)
