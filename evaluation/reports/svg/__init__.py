"""Figures as SVG, for reports that need no network."""

from typing import assert_never

from markupsafe import Markup

from evaluation.reports.models import BarFigure, Figure, LineFigure, MatrixFigure
from evaluation.reports.svg.bars import draw_bars
from evaluation.reports.svg.lines import draw_lines
from evaluation.reports.svg.matrix import draw_matrix


def draw(figure: Figure) -> Markup:
    """Draw a figure of any kind; the text in it is escaped."""
    match figure:
        case BarFigure():
            return Markup(draw_bars(figure))  # noqa: S704 - every text in it went through `canvas.text`
        case LineFigure():
            return Markup(draw_lines(figure))  # noqa: S704 - as above
        case MatrixFigure():
            return Markup(draw_matrix(figure))  # noqa: S704 - as above
        case _:
            assert_never(figure)
