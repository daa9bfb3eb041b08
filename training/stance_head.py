"""
Fit the stance head: `python -m training.stance_head --data FOLDER`.

Logistic regression on vectors of the shipped embedder, on the train part of Perspectrum without the pairs whose wording
also occurs in its test part. The dev part is only measured on. Needs scikit-learn (extra [evaluation]).
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from models.embedder import OnnxEmbedder
from models.stance import HEAD, SHIPPED_STANCE, Embed, Head, stance_features
from training.data.packs import read_pack
from training.files import write_sums

PACK = "perspectrum"
STRENGTH = 0.0003
"""Inverse of the penalty; chosen by five-fold cross-validation over claims of the train part."""
COVERAGES = (0.1, 0.2, 0.3, 0.5, 1.0)
_DRAWS = 1000

Flags = NDArray[np.bool_]


def fit(rows: Sequence[dict[str, Any]], embed: Embed, *, embedder: str, strength: float = STRENGTH) -> Head:
    """
    Fit.

    :param rows: With `claim`, `perspective` and `label`, `support` or `undermine`.
    """
    features = stance_features(embed, [(row["claim"], row["perspective"]) for row in rows])
    scaler = StandardScaler().fit(features)
    model = LogisticRegression(C=strength, max_iter=1000).fit(scaler.transform(features), labels_of(rows))
    weights = model.coef_[0] / scaler.scale_
    intercept = float(model.intercept_[0] - weights @ scaler.mean_)
    return Head(
        embedder=embedder, intercept=round(intercept, 5), weights=tuple(round(float(one), 5) for one in weights)
    )


def labels_of(rows: Sequence[dict[str, Any]]) -> Flags:
    """Return which rows support."""
    return np.array([row["label"] == "support" for row in rows])


def accuracy_by_coverage(probabilities: Sequence[float], labels: Flags) -> dict[float, tuple[float, float, float]]:
    """
    Measure on the surest shares of the pairs.

    :returns: Share to the probability that the least sure of them has for its side, accuracy, and half the width of
        its 95 % bootstrap interval.
    """
    yes = np.asarray(probabilities)
    order = np.argsort(-abs(yes - 0.5), kind="stable")
    chance = np.random.default_rng(7)
    found = {}
    for share in COVERAGES:
        chosen = order[: int(share * len(order))]
        right = (yes[chosen] > 0.5) == labels[chosen]  # noqa: PLR2004 - a half is the border
        drawn = chance.choice(right, size=(_DRAWS, len(right))).mean(axis=1)
        half = float(np.quantile(drawn, 0.975) - np.quantile(drawn, 0.025)) / 2
        found[share] = (float(0.5 + abs(yes[chosen[-1]] - 0.5)), float(right.mean()), half)
    return found


def main() -> None:
    """Fit, write the head, and print how right it is on the dev part."""
    parser = argparse.ArgumentParser(description="Fit the stance head.")
    parser.add_argument("--data", type=Path, required=True, help="Folder of the data packs.")
    parser.add_argument("--out", type=Path, default=SHIPPED_STANCE)
    given = parser.parse_args()
    rows = read_pack(given.data, PACK)
    train = [row for row in rows if row["split"] == "train" and not row["wording_in_test"]]
    dev = [row for row in rows if row["split"] == "dev"]
    embedder = OnnxEmbedder()
    head = fit(train, embedder.embed, embedder=embedder.folder.name)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / HEAD).write_text(json.dumps(head.model_dump()) + "\n", encoding="utf-8")
    write_sums(given.out, [HEAD])
    logits = stance_features(embedder.embed, [(row["claim"], row["perspective"]) for row in dev]) @ np.array(
        head.weights
    )
    probabilities = 1 / (1 + np.exp(-(logits + head.intercept)))
    sys.stdout.write(f"{len(train)} pairs to fit on, {len(dev)} to measure on\n")
    for share, (least, accuracy, half) in accuracy_by_coverage(list(probabilities), labels_of(dev)).items():
        sys.stdout.write(f"surest {share:4.0%}: from {least:.2f} on, accuracy {accuracy:.3f} ± {half:.3f}\n")


if __name__ == "__main__":
    main()
