"""Bars with intervals, one below the other."""

from evaluation.reports.models import BarFigure
from evaluation.reports.svg.canvas import BAR, INK, MUTED, RULE, box, line, nice_ceiling, svg, text
from evaluation.reports.text import number

_ROW, _LEFT, _PLOT, _RIGHT, _TOP, _BOTTOM = 26, 176, 230, 80, 8, 34
_TICKS = 4
_LABEL_CHARS = 28


def draw_bars(figure: BarFigure) -> str:
    """Draw the bars, their intervals as whiskers and their values at the right."""
    top = figure.maximum or nice_ceiling(max((bar.high or bar.value for bar in figure.bars), default=1.0))
    height = _TOP + _ROW * len(figure.bars) + _BOTTOM
    parts = [
        part
        for tick in range(_TICKS + 1)
        for part in _tick(_LEFT + _PLOT * tick / _TICKS, height - _BOTTOM, f"{top * tick / _TICKS:g}{figure.unit}")
    ]
    for row, bar in enumerate(figure.bars):
        middle = _TOP + _ROW * (row + 0.5)
        tip = f"{bar.label}: {number(bar.value)}"
        label = bar.label if len(bar.label) <= _LABEL_CHARS else bar.label[: _LABEL_CHARS - 1] + "…"
        parts += [
            text(_LEFT - 8, middle + 4, label, anchor="end"),
            box(_LEFT, middle - 8, _PLOT * min(bar.value / top, 1), 16, fill=BAR, title=tip),
            text(_LEFT + _PLOT + 12, middle + 4, number(bar.value) + figure.unit),
        ]
        if bar.low is not None and bar.high is not None:
            parts += _whisker(_x(bar.low, top), _x(bar.high, top), middle)
    return svg(_LEFT + _PLOT + _RIGHT, height, parts, title=figure.title)


def _x(value: float, top: float) -> float:
    return _LEFT + _PLOT * min(max(value / top, 0), 1)


def _tick(x: float, bottom: float, label: str) -> list[str]:
    return [line(x, _TOP, x, bottom, stroke=RULE), text(x, bottom + 18, label, anchor="middle", size=11, fill=MUTED)]


def _whisker(low: float, high: float, middle: float) -> list[str]:
    return [
        line(low, middle, high, middle, stroke=INK, width=1.5),
        line(low, middle - 4, low, middle + 4, stroke=INK, width=1.5),
        line(high, middle - 4, high, middle + 4, stroke=INK, width=1.5),
    ]
