"""A report's measures as a LaTeX table (package booktabs)."""

from evaluation.reports.models import Report
from evaluation.reports.text import DASH, interval, number

_ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", DASH: "--",
}  # fmt: skip


def to_latex(report: Report) -> str:
    """Write the measures with intervals, ready to be included in a paper."""
    rows = [
        f"{escape(name)} & {escape(number(value.value))} & {escape(interval(value))} & {value.n} \\\\"
        for name, value in report.measures.items()
    ]
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{escape(report.run.title)}. 95\,\% intervals. Run {escape(report.run.run_id)}.}}",
            r"\begin{tabular}{lrrr}",
            r"\toprule",
            r"Measure & Value & Interval & $n$ \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def escape(text: str) -> str:
    """Write a text so that LaTeX prints it."""
    return "".join(_ESCAPES.get(character, character) for character in text)
