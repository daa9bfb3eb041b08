"""Statements retold from real articles in true and false twins, before their passage, its mirror and other parts."""

from pathlib import Path

from evaluation.measures.stats.clustered import clustered_mean
from evaluation.measures.values import MeasureValue
from models.evidence import EvidenceModel
from training.data.examples import Group
from training.data.sources.contrast_sets import grid_groups
from training.data.sources.minimal_pairs import twin_groups
from training.measure.pair_accuracy import examples_of, likeliest, paired_figures
from training.measure.readings import Say, read_examples, spread

PACK, MIRRORS, ARTICLES = "retold_news", "retold_mirrors", "allsides_articles"
"""The statements and what their mirrors change ship with Looksy, the articles that they are about do not."""


def measure_twins(model: EvidenceModel, data: Path, *, limit: int, say: Say) -> dict[str, MeasureValue]:
    """
    Measure on the development part, behind headlines.

    :param limit: Groups (a pair of twins, or a statement that is open) at most; 0: all.
    :returns: `both right` and `order`, two-way, of twins before their passage, and of statements before their passage
        and its mirror; and how many of all statements are judged right, three-way: before their passage, and before
        another part of its article, which leaves them open.
    """
    told, whole = (
        twin_groups(data, [PACK], articles=ARTICLES, splits=("dev",), headlines=1.0, elsewhere=share, far=0.0)
        for share in (0.0, 1.0)
    )
    figures: dict[str, MeasureValue] = {}
    for name, groups in (("given the passage", told), ("elsewhere in the article", whole[len(told) :])):
        some = spread(groups, limit)
        examples = examples_of(some)
        readings = read_examples(model, examples, say=say, what=f"{PACK}, {name}")
        if groups is told:
            figures |= paired_figures(some, readings, name=f"{PACK} dev twins")
        right = [float(likeliest(one) == example.relation) for one, example in zip(readings, examples, strict=True)]
        figures[f"{PACK} dev, {name} (three-way)"] = clustered_mean(right, [example.passage for example in examples])
    grids = grid_groups(data, [MIRRORS], twins=PACK, articles=ARTICLES, splits=("dev",), headlines=0.0)
    turning = spread([group for grid in grids for group in _by_statement(grid)], limit)
    readings = read_examples(model, examples_of(turning), say=say, what=MIRRORS)
    return figures | paired_figures(turning, readings, name=f"{PACK} dev mirrors")


def _by_statement(grid: Group) -> tuple[Group, Group]:
    """Set each of two twins before its passage and before the mirror."""
    return Group(grid.examples[::2]), Group(grid.examples[1::2])
