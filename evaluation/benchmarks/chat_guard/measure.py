"""
Measure what the guard does with labelled replies: right ones that it drops, wrong ones that are shown as verified.

`python -m evaluation.benchmarks.chat_guard.measure --replies FILE` reads what `collect` wrote, with `label` filled in.
A statement's verdict never depends on the reply: a wrong reply to one counts as soon as any of it is shown.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from core.errors import LooksyError
from core.paths import SAMPLE
from core.settings import load_settings
from core.types import Article, QueryKind, Verdict
from evaluation.benchmarks.chat_guard.rows import Label, ReplyRow, draft_of, evidence_of, read_rows
from evaluation.runs.ask_system import OpenEngine, open_engine
from pipelines.attribution.citation_checker import CitationChecker
from pipelines.attribution.support_checker import SupportChecker
from pipelines.contracts import Draft, Evidence
from pipelines.evidence.verdict import VerdictWriter


def outcomes(opened: OpenEngine, rows: Sequence[ReplyRow]) -> list[str]:
    """Return what becomes of each reply: dropped, shown, or shown as verified."""
    resources = opened.engine.resources
    names = opened.corpus.names.names if opened.corpus else {}
    articles = {names[one]: article for one, article in resources.store().get_articles(names).items()}
    supporter = SupportChecker(
        verifier=resources.verifier(),
        reader=resources.evidence_model(),
        calibration=resources.calibration(),
        answer_calibration=resources.answer_calibration(),
    )
    writer = VerdictWriter(verifier=resources.verifier(), answer_calibration=resources.answer_calibration())
    return [_outcome(row, articles, supporter, writer) for row in rows]


def _outcome(row: ReplyRow, articles: Mapping[str, Article], supporter: SupportChecker, writer: VerdictWriter) -> str:
    done = supporter.run(
        query=row.query, kind=row.kind, draft=draft_of(row, articles), evidence=evidence_of(row, articles)
    )
    draft = cast(Draft, done["draft"])
    evidence = cast(list[Evidence], done["evidence"])
    if draft.mode is None or not draft.text:
        return "dropped"
    if row.kind is QueryKind.STATEMENT:
        return "verified"
    checked = CitationChecker().run(draft=draft, evidence=evidence)["checked"]
    ruling = writer.run(kind=row.kind, checked=checked)["ruling"]
    if not ruling.answer:
        return "dropped"
    return "verified" if ruling.verdict is Verdict.VERIFIED else "shown"


def table(rows: Sequence[ReplyRow], found: Sequence[str]) -> str:
    """Write both error rates with their counts."""
    labels = Counter(row.label for row in rows)
    counts = Counter((row.label, one) for row, one in zip(rows, found, strict=True))
    return (
        f"right replies {labels[Label.RIGHT]}, dropped {counts[Label.RIGHT, 'dropped']}; "
        f"wrong replies {labels[Label.WRONG]}, shown {counts[Label.WRONG, 'shown']}, "
        f"as verified {counts[Label.WRONG, 'verified']}"
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replies", type=Path, required=True)
    options = parser.parse_args()
    try:
        rows = [row for row in read_rows(options.replies) if row.label not in {None, Label.DECLINED}]
        with open_engine(SAMPLE / "queries.jsonl", load_settings(), corpus=None) as opened:
            found = outcomes(opened, rows)
    except LooksyError as error:
        sys.exit(str(error))
    lines = [f"{row.id}\t{row.label}\t{one}" for row, one in zip(rows, found, strict=True)]
    sys.stdout.write("\n".join([*lines, table(rows, found), ""]))


if __name__ == "__main__":
    main()
