"""Lines over two axes: reliability diagrams, risk over coverage, precision at k."""

from evaluation.reports.models import Line, LineFigure
from evaluation.reports.svg.canvas import MUTED, RULE, SERIES, SOFT, box, line, svg, text

_LEFT, _PLOT_W, _PLOT_H, _TOP, _BOTTOM, _RIGHT = 58, 360, 260, 12, 50, 24
_TICKS = 5
_LEGEND_ROW = 18


def draw_lines(figure: LineFigure) -> str:
    """Draw the axes, the lines with a dot at each point, and a legend if there is more than one line."""
    parts = [*_axes(figure), *_weights(figure)]
    if figure.diagonal:
        start, end = figure.x_range
        points = [_place(figure, (start, start)), _place(figure, (end, end))]
        parts.append(line(*points[0], *points[1], stroke=MUTED, dash="4 4"))
    for number, series in enumerate(figure.lines):
        color = SERIES[number % len(SERIES)]
        places = [_place(figure, point) for point in series.points]
        parts += _band(figure, series, color)
        parts.append(f'<polyline points="{_path(places)}" fill="none" stroke="{color}" stroke-width="2"/>')
        if len(places) <= 30:  # noqa: PLR2004 - more dots than that make a thick line
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places]
    legend = figure.lines if len(figure.lines) > 1 else ()
    bottom = _TOP + _PLOT_H + _BOTTOM
    for number, series in enumerate(legend):
        y = bottom + _LEGEND_ROW * number
        parts.append(line(_LEFT, y, _LEFT + 20, y, stroke=SERIES[number % len(SERIES)], width=2))
        parts.append(text(_LEFT + 28, y + 4, series.label))
    return svg(_LEFT + _PLOT_W + _RIGHT, bottom + _LEGEND_ROW * len(legend), parts, title=figure.title)


def _axes(figure: LineFigure) -> list[str]:
    parts: list[str] = []
    bottom = _TOP + _PLOT_H
    for value in _even(figure.y_range):
        _, y = _place(figure, (figure.x_range[0], value))
        parts += [
            line(_LEFT, y, _LEFT + _PLOT_W, y, stroke=RULE),
            text(_LEFT - 8, y + 4, f"{value:.4g}", anchor="end", size=11, fill=MUTED),
        ]
    for value in figure.x_ticks or _even(figure.x_range):
        x, _ = _place(figure, (value, figure.y_range[0]))
        parts += [
            line(x, bottom, x, bottom + 4, stroke=RULE),
            text(x, bottom + 17, f"{value:.4g}", anchor="middle", size=11, fill=MUTED),
        ]
    parts.append(text(_LEFT + _PLOT_W / 2, bottom + 36, figure.x, anchor="middle"))
    parts.append(text(14, _TOP + _PLOT_H / 2, figure.y, anchor="middle", turn=True))
    return parts


def _even(ends: tuple[float, float]) -> list[float]:
    return [ends[0] + (ends[1] - ends[0]) * tick / _TICKS for tick in range(_TICKS + 1)]


def _band(figure: LineFigure, series: Line, color: str) -> list[str]:
    """Shade the interval around a line."""
    if not series.spread:
        return []
    xs = [x for x, _ in series.points]
    upper = [_place(figure, (x, high)) for x, (_, high) in zip(xs, series.spread, strict=True)]
    lower = [_place(figure, (x, low)) for x, (low, _) in zip(xs, series.spread, strict=True)]
    return [f'<polygon points="{_path([*upper, *reversed(lower)])}" fill="{color}" fill-opacity="0.13"/>']


def _path(places: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _weights(figure: LineFigure) -> list[str]:
    parts = []
    for x, share in figure.weights:
        left, _ = _place(figure, (x, figure.y_range[0]))
        height = _PLOT_H * share
        tip = f"{share:.1%} of the items"
        parts.append(box(left - 9, _TOP + _PLOT_H - height, 18, height, fill=SOFT, title=tip, opacity=0.7))
    return parts


def _place(figure: LineFigure, point: tuple[float, float]) -> tuple[float, float]:
    def share(value: float, ends: tuple[float, float]) -> float:
        span = (ends[1] - ends[0]) or 1.0
        return min(max((value - ends[0]) / span, 0.0), 1.0)

    return (
        _LEFT + _PLOT_W * share(point[0], figure.x_range),
        _TOP + _PLOT_H * (1 - share(point[1], figure.y_range)),
    )
