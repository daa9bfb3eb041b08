"""
Tell how many of the questions that `lateral` makes are good: `python -m evaluation.benchmarks.lateral_questions`.

The questions are made anew from the texts of `evaluation/datasets/lateral`, without a chat model and without asking
whether a text answers them itself, and each is looked up among the labelled ones.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator

from core.counting import counted
from core.paths import ROOT, SAMPLE
from evaluation.data.formats.lines import plain_or_gzip, read_objects
from evaluation.measures.stats.bootstrap import mean_with_interval
from pipelines.systems.lateral import SourceText, make_questions

DATASETS = ROOT / "evaluation" / "datasets"
LABELLED = DATASETS / "lateral" / "questions.jsonl"
_FILES = {
    "claims": (DATASETS / "claims" / "texts.jsonl", "text"),
    "sample": (plain_or_gzip(SAMPLE / "articles.jsonl"), "body"),
    "own": (DATASETS / "lateral" / "texts.jsonl", "text"),
}
"""Origin to file, and the field that holds the text."""
MOST_CHARS = 4000
"""Of a text that is asked about."""
QUESTIONS = 5


def labels() -> dict[tuple[str, str, str], bool]:
    """Return origin, text and question to whether it is good."""
    rows = (row for _, row in read_objects(LABELLED))
    return {(row["origin"], row["text"], row["question"]): row["label"] == "good" for row in rows}


def made(wanted: set[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Yield origin, text and each question that is made of it now."""
    for origin, (path, field) in _FILES.items():
        for _, row in read_objects(path):
            if (origin, row["id"]) in wanted:
                source = SourceText(text=row[field][:MOST_CHARS])
                yield from ((origin, row["id"], one.text) for one in make_questions(source, limit=QUESTIONS))


def main() -> int:
    """Print the share of good questions with its interval, and the questions that have no label yet."""
    known = labels()
    found = list(made({(origin, text) for origin, text, _ in known}))
    share = mean_with_interval([float(known[one]) for one in found if one in known])
    lines = [
        f"{counted(len(found), 'question')} of {len({one[:2] for one in found})} texts; {share.n} with a label: "
        f"{share.value:.3f} good ({share.low:.3f} to {share.high:.3f})",
        ", ".join(f"{name}: {count}" for name, count in Counter(origin for origin, _, _ in found).items()),
    ]
    lines += [
        json.dumps({"origin": origin, "text": text, "question": question, "label": ""}, ensure_ascii=False)
        for origin, text, question in found
        if (origin, text, question) not in known
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
