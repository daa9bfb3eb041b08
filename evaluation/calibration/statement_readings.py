"""Put statements to the product, and write down where it finds each article to stand."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.progress import Progress, ProgressEvent, Stage, ignore_progress
from core.settings import Settings
from core.types import Model, Probability, QueryKind, Request
from evaluation.calibration.readings_cache import kept_lines
from evaluation.data.formats.claims import Claim, read_claims
from evaluation.data.formats.labels import Label
from evaluation.data.formats.lines import read_objects
from evaluation.runs.ask_system import open_engine
from pipelines.conflicts.severity import refuting
from pipelines.engine import Engine
from pipelines.systems.registry import get_system

SYSTEM = "verify"


class ReadArticle(Model):
    """One article as it was judged."""

    own: bool
    """Whether the statement is about it; another one has nothing to say, as far as is known."""
    conflicts: tuple[str, ...]
    """Kinds of the conflicts that plain code can point to."""
    supports: Probability
    refutes: Probability
    rank: int
    """How many other articles were found before it."""


class ReadStatement(Model):
    """A statement with the articles that were found for it."""

    id: str
    about: tuple[str, ...]
    """Articles, or its own id; statements that share one are never on both sides of a split."""
    label: Label
    kind: str = ""
    """written: of the packs; free: of the sample and the checklist, as people word them."""
    articles: tuple[ReadArticle, ...]


def read_statements(
    file: Path,
    settings: Settings,
    kept: Path,
    *,
    kind: str = "",
    split: str | None = None,
    progress: Progress = ignore_progress,
) -> list[ReadStatement]:
    """
    Read what was not read before.

    :param file: Claims with `article_ids`, beside their corpus.
    :param kept: JSON lines of what was read; grows as the reading goes on, so that it can be stopped and gone on with.
    """
    done = {statement.id: statement for statement in _kept(kept)}
    about = {str(row["id"]): [str(name) for name in row.get("article_ids", [])] for _, row in read_objects(file)}
    claims = [claim for claim in read_claims(file) if split in {None, claim.split}]
    with open_engine(file, settings, corpus=None) as opened, kept.open("a", encoding="utf-8") as out:
        names: dict[str, str] = opened.corpus.names.names if opened.corpus else {}
        for number, claim in enumerate(claims, start=1):
            progress(ProgressEvent(stage=Stage.READ, done=number, total=len(claims), unit="statements"))
            if claim.id not in done:
                done[claim.id] = _read(opened.engine, claim, about[claim.id], names)
                out.write(done[claim.id].model_dump_json() + "\n")
                out.flush()
    return [done[claim.id].model_copy(update={"kind": kind}) for claim in claims]


def _read(engine: Engine, claim: Claim, about: Sequence[str], names: dict[str, str]) -> ReadStatement:
    request = Request(text=claim.text, kind=QueryKind.STATEMENT)
    system: Any = get_system(SYSTEM)
    inputs = system.inputs(request, kind=QueryKind.STATEMENT, top_k=engine.settings.top_k)
    entailments = engine.run_pipeline(system.pipeline, inputs, options={})["verifier"]["entailments"]
    return ReadStatement(
        id=claim.id,
        about=tuple(about) or (claim.id,),
        label=claim.label,
        articles=tuple(
            ReadArticle(
                own=names.get(entailment.items[0].article.article_id) in about,
                conflicts=tuple(sorted({one.kind for item in entailment.items for one in refuting(item.conflicts)})),
                supports=entailment.supports,
                refutes=entailment.refutes,
                rank=entailment.rank,
            )
            for entailment in entailments
        ),
    )


def _kept(path: Path) -> Iterator[ReadStatement]:
    for line in kept_lines(path):
        yield ReadStatement.model_validate(json.loads(line))
