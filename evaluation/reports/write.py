"""The files of a report."""

import json
from pathlib import Path

from core.files import replacing
from evaluation.reports.html import to_html
from evaluation.reports.latex import to_latex
from evaluation.reports.markdown import to_markdown
from evaluation.reports.models import Report
from evaluation.runs.folder import REPORT

PER_QUERY = "per_query.jsonl"


def write_report(report: Report, folder: Path) -> None:
    """
    Write `report.md`, `report.html`, `report.tex`, `per_query.jsonl` and `report.json` into a folder.

    `report.json` comes last, and whole or not at all: a run that has it is scored.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(to_markdown(report), encoding="utf-8")
    (folder / "report.html").write_text(to_html(report), encoding="utf-8")
    (folder / "report.tex").write_text(to_latex(report), encoding="utf-8")
    with (folder / PER_QUERY).open("w", encoding="utf-8") as handle:
        for name, values in report.per_item.items():
            row = {"id": name, "values": values}
            if name in report.item_scores:
                row["scores"] = report.item_scores[name]
            handle.write(json.dumps(row, ensure_ascii=False) + "\n")
    with replacing(folder / REPORT) as part:
        part.write_text(report.model_dump_json(indent=2) + "\n", encoding="utf-8")
