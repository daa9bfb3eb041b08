"""A checked text as people take it with them: HTML, Markdown, CSV, ClaimReview."""

from service.checks.report.csv_table import to_csv
from service.checks.report.html_page import to_html
from service.checks.report.markdown import to_markdown

__all__ = ["to_csv", "to_html", "to_markdown"]
