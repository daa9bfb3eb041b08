"""The baselines that stand beside every verdict figure: the statement's wording alone, and the commonest label."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from core.errors import ConfigError
from evaluation.data.formats.labels import Label
from evaluation.measures.claim_only_baseline import statement_only_labels
from evaluation.measures.stats.bootstrap import mean_with_interval, statistic_with_interval
from evaluation.measures.values import MeasureValue
from evaluation.measures.verdict import confusion


class LabelledText(Protocol):
    """A claim as the baseline sees it."""

    @property
    def text(self) -> str:
        """The statement."""
        ...

    @property
    def label(self) -> Label:
        """Its true label."""
        ...

    @property
    def pair(self) -> str | None:
        """Rows that share it are kept together."""
        ...


def baseline_measures(items: Sequence[LabelledText]) -> tuple[dict[str, MeasureValue], tuple[str, ...]]:
    """
    Compute the baselines.

    :returns: Measures, and notes on what could not be computed.
    """
    gold = [item.label.value for item in items]
    if not gold:
        return {}, ()
    commonest = Counter(gold).most_common(1)[0][0]
    measures = {"majority_accuracy": mean_with_interval([float(label == commonest) for label in gold])}
    try:
        predicted = statement_only_labels([item.text for item in items], gold, [item.pair for item in items])
    except ConfigError as error:
        return measures, (f"{error.message}. {error.hint}",)
    if predicted is None:
        return measures, ("The statement-only baseline needs two labels, and statements of more than one pair.",)
    names = sorted(set(gold) | set(predicted))
    true, given = (np.array([names.index(label) for label in labels], dtype=np.int64) for labels in (gold, predicted))
    measures["statement_only_accuracy"] = mean_with_interval((true == given).astype(float))
    measures["statement_only_macro_f1"] = statistic_with_interval(
        len(true), lambda picks: confusion.macro_f1(confusion.count(true[picks], given[picks], labels=len(names)))
    )
    return measures, ()
