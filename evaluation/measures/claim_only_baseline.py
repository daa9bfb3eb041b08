"""
What the wording of the statements gives away: a classifier that never sees evidence.

TF-IDF over words and word pairs, logistic regression, cross-validated: each statement is labelled by a model that has
not seen it, nor any other row with the same text or of the same pair.
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from evaluation.data.group_folds import joined
from evaluation.optional_import import require

FOLDS = 5
SEED = 7


def statement_only_labels(
    texts: Sequence[str], labels: Sequence[str], groups: Sequence[str | None]
) -> list[str] | None:
    """
    Predict each label from the statement's words alone.

    :param groups: Rows with the same group are never on both sides; None: grouped by text.
    :returns: One label a text; None where there are too few items, or one label only.
    """
    ids = _join_groups(texts, groups)
    folds = min(FOLDS, len(set(ids)))
    if len(set(labels)) < 2 or folds < 2:  # noqa: PLR2004 - nothing to tell apart, or nothing to learn from
        return None
    need = "the statement-only baseline"
    selection: Any = require("sklearn.model_selection", extra="evaluation", need=need)
    stratified = folds <= max(Counter(labels).values())  # else there is nothing to spread evenly
    kind = selection.StratifiedGroupKFold if stratified else selection.GroupKFold
    splitter = kind(folds, shuffle=True, random_state=SEED)
    gold = np.asarray(labels)
    predicted = np.empty(len(texts), dtype=object)
    with warnings.catch_warnings():  # a label rarer than there are folds is missing in some: no news to anybody
        warnings.simplefilter("ignore", UserWarning)
        parts = list(splitter.split(np.zeros(len(texts)), gold, ids))
    for train, test in parts:
        if not len(test):
            continue
        predicted[test] = _fit_and_predict([texts[i] for i in train], gold[train], [texts[i] for i in test])
    return [str(label) for label in predicted]


def _fit_and_predict(texts: list[str], labels: Any, new: list[str]) -> Any:
    commonest = [Counter(labels.tolist()).most_common(1)[0][0]] * len(new)
    if len(set(labels)) == 1:
        return commonest
    need = "the statement-only baseline"
    text: Any = require("sklearn.feature_extraction.text", extra="evaluation", need=need)
    linear: Any = require("sklearn.linear_model", extra="evaluation", need=need)
    vectorizer = text.TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    model = linear.LogisticRegression(C=10.0, max_iter=1000, class_weight="balanced")
    try:
        features = vectorizer.fit_transform(texts)
    except ValueError:  # none of them holds a word of two letters: nothing to go by
        return commonest
    model.fit(features, labels)
    return model.predict(vectorizer.transform(new))


def _join_groups(texts: Sequence[str], groups: Sequence[str | None]) -> list[int]:
    """Number the sets of rows that are linked by text or by group."""
    names = joined(
        [
            (f"text {text.lower()}", *([] if group is None else [f"group {group}"]))
            for text, group in zip(texts, groups, strict=True)
        ]
    )
    numbers: dict[str, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]
