"""The training curve: one line of JSON a step, and a plot."""

import json
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from core.files import replacing
from training.files import CURVE

PLOT = "curve.png"
_SMOOTH = 25


class Curve:
    """
    Figures by step, in a folder.

    :param folder: Made when the first figure comes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, step: int, figures: dict[str, float]) -> None:
        """Append the figures of a step."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / CURVE).open("a", encoding="utf-8") as out:
            out.write(json.dumps({"step": step, **figures}) + "\n")

    def cut(self, step: int) -> None:
        """Forget what comes after a step, which is about to be done again."""
        rows = [row for row in self.rows() if row["step"] <= step]
        if (self.folder / CURVE).is_file():
            with replacing(self.folder / CURVE) as part:
                part.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def rows(self) -> list[dict[str, float]]:
        """Return all figures in order; a line that was not written to its end is left out."""
        file = self.folder / CURVE
        if not file.is_file():
            return []
        return [row for line in file.read_text(encoding="utf-8").splitlines() if (row := _row(line))]

    def line(self, last: int) -> str:
        """Say the means of the last steps."""
        rows = [row for row in self.rows() if "relation" in row][-last:]
        names = ("rate", "rows", "relation", "side", "mirror", "span", "relevance")
        means = {name: sum(row[name] for row in rows) / len(rows) for name in names}
        return f"step {rows[-1]['step']:.0f}: " + ", ".join(f"{name} {value:.3g}" for name, value in means.items())

    def last(self, prefix: str) -> dict[str, float]:
        """Return the last figures whose names begin so, without that beginning."""
        found = {}
        for row in self.rows():
            found.update({name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)})
        return found

    def plot(self) -> Path:
        """
        Draw losses, the figures on development data and the rate.

        :returns: The picture's file.
        """
        rows = self.rows()
        figure = Figure(figsize=(8, 9), layout="constrained")
        losses, measured, rate = figure.subplots(3, 1, sharex=True)
        for name in ("relation", "side", "mirror", "span", "relevance"):
            _draw(losses, rows, name, smooth=True)
        for name in sorted({key for row in rows for key in row if key.startswith("dev ")}):
            _draw(measured, rows, name)
        _draw(rate, rows, "rate")
        for axes, title in ((losses, "loss"), (measured, "development"), (rate, "learning rate")):
            axes.set_title(title)
            if axes.lines:
                axes.legend()
        rate.set_xlabel("step")
        figure.savefig(self.folder / PLOT)
        return self.folder / PLOT


def _row(line: str) -> dict[str, float] | None:
    try:
        row: dict[str, float] = json.loads(line)
    except ValueError:
        return None
    return row


def _draw(axes: Axes, rows: list[dict[str, float]], name: str, *, smooth: bool = False) -> None:
    points = [(row["step"], row[name]) for row in rows if name in row]
    if not points:
        return
    width = _SMOOTH if smooth else 1
    values = [value for _, value in points]
    means = [
        sum(values[max(0, at + 1 - width) : at + 1]) / len(values[max(0, at + 1 - width) : at + 1])
        for at in range(len(values))
    ]
    axes.plot([step for step, _ in points], means, label=name)
