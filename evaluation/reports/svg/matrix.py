"""A confusion matrix; the darker a cell, the larger its share of the row."""

from evaluation.reports.models import MatrixFigure
from evaluation.reports.svg.canvas import ACCENT, INK, MUTED, box, svg, text

_LEFT, _TOP, _CELL_W, _CELL_H = 130, 58, 110, 56
_DARK = 0.55


def draw_matrix(figure: MatrixFigure) -> str:
    """Draw the counts, true labels downwards, predicted ones to the right."""
    parts = [
        text(_LEFT + _CELL_W * len(figure.columns) / 2, 16, "predicted", anchor="middle", fill=MUTED),
        text(14, _TOP + _CELL_H * len(figure.rows) / 2, "true", anchor="middle", fill=MUTED, turn=True),
    ]
    for column, label in enumerate(figure.columns):
        parts.append(text(_LEFT + _CELL_W * (column + 0.5), _TOP - 12, label, anchor="middle"))
    for row, label in enumerate(figure.rows):
        middle = _TOP + _CELL_H * (row + 0.5)
        parts.append(text(_LEFT - 10, middle + 4, label, anchor="end"))
        total = sum(figure.counts[row])
        for column, count in enumerate(figure.counts[row]):
            share = count / total if total else 0.0
            x, y = _LEFT + _CELL_W * column, _TOP + _CELL_H * row
            parts.append(box(x + 1, y + 1, _CELL_W - 2, _CELL_H - 2, fill=ACCENT, opacity=0.06 + 0.9 * share))
            ink = "#ffffff" if share > _DARK else INK
            parts.append(text(x + _CELL_W / 2, middle, str(count), anchor="middle", size=15, fill=ink))
            parts.append(text(x + _CELL_W / 2, middle + 16, f"{share:.0%}", anchor="middle", size=11, fill=ink))
    width, height = _LEFT + _CELL_W * len(figure.columns) + 10, _TOP + _CELL_H * len(figure.rows) + 10
    return svg(width, height, parts, title=figure.title)
