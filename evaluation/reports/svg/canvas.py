"""The strokes that all figures are drawn with."""

from html import escape

INK, MUTED, RULE = "#1c2430", "#5b6675", "#d9dee5"
ACCENT, BAR, SOFT = "#0b6e99", "#7fb8d0", "#b9d9e6"
SERIES = ("#0b6e99", "#c2571a", "#4f7a28", "#7a4b94", "#8a6d1b")
FONT = "font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,sans-serif\""


def text(
    x: float, y: float, content: str, *, anchor: str = "start", size: int = 12, fill: str = INK, turn: bool = False
) -> str:
    """Write a text at a point; `turn` writes it upwards."""
    rotate = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{fill}"{rotate}>'
        f"{escape(content)}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, *, stroke: str = RULE, width: float = 1, dash: str = "") -> str:
    """Draw a straight line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
        f'stroke-width="{width}"{dashes}/>'
    )


def box(x: float, y: float, width: float, height: float, *, fill: str, title: str = "", opacity: float = 1) -> str:
    """Draw a filled box, with a tool tip."""
    tip = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" fill="{fill}" '
        f'fill-opacity="{opacity:.3f}">{tip}</rect>'
    )


def svg(width: float, height: float, parts: list[str], *, title: str) -> str:
    """Put the strokes into a picture that scales to the page."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(title, quote=True)}" {FONT} style="max-width:{width:.0f}px;width:100%">'
        + "".join(parts)
        + "</svg>"
    )


def nice_ceiling(value: float) -> float:
    """Return the next round number: 1, 2, 2.5 or 5 times a power of ten."""
    if value <= 0:
        return 1.0
    magnitude = 1.0
    while magnitude * 10 <= value:
        magnitude *= 10
    while magnitude > value:
        magnitude /= 10
    return next(step * magnitude for step in (1, 2, 2.5, 5, 10) if step * magnitude >= value)
