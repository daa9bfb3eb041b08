"""
Ask a chat model about the sample's development part, and keep each reply with all that the guard sees of it.

::

    python -m evaluation.benchmarks.chat_guard.collect --out replies.jsonl --mode references --mode contexts

The model is the one of the settings. What stands in the file already is not asked again, so that a run can be taken up.
"""

import argparse
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import ConfigError, GeneratorError, LooksyError
from core.paths import SAMPLE
from core.requests import parse_request
from core.settings import Settings, load_settings
from core.types import QueryKind
from evaluation.benchmarks.chat_guard.rows import read_rows, store_row
from evaluation.runs.ask_system import OpenEngine, open_engine
from pipelines.contracts.evidence import Evidence
from pipelines.generation.chat_answerer import ChatAnswerer
from pipelines.generation.prompts import load_prompt
from pipelines.systems.registry import get_system

logger = logging.getLogger(__name__)

DEFAULT_MODES = ("references", "contexts", "keywords")


@dataclass(frozen=True)
class Query:
    """One question or statement."""

    id: str
    kind: QueryKind
    text: str


def development_queries(files: tuple[str, ...] = ("queries.jsonl", "retold.jsonl")) -> Iterator[Query]:
    """Give the questions and statements of the sample's development part."""
    for name in files:
        for line in (SAMPLE / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["split"] == "dev":
                kind = QueryKind(row.get("kind", "statement"))
                yield Query(id=row["id"], kind=kind, text=row.get("text") or row["claim"])


def collect(opened: OpenEngine, settings: Settings, out: Path, *, modes: tuple[str, ...], limit: int) -> int:
    """
    Ask for what is not in the file yet; return the number of replies that were added.

    :param limit: Rows that the file shall have at most.
    """
    rows = read_rows(out) if out.is_file() else []
    done = {row.id for row in rows}
    engine = opened.engine
    generator = engine.resources.generator()
    if generator is None:
        raise ConfigError("no chat model is set", field="generator", hint="Set LOOKSY_GENERATOR to one.")
    answerer = ChatAnswerer(generator=generator, settings=settings.model_copy(update={"generator_fallback": None}))
    names = opened.corpus.names.names if opened.corpus else {}
    added = 0
    for mode in modes:  # one after the other: a server keeps the fixed part of the prompt that it read last
        for query in development_queries():
            name = f"{query.id}-{mode}-{generator.name}"
            if name in done or len(done) + added >= limit:
                continue
            evidence = judged_evidence(opened, query)
            try:
                draft = answerer.run(query.text, query.kind, evidence, mode)["draft"]
            except GeneratorError as error:
                logger.warning("%s: %s", name, error.message)
                continue
            if not draft.text:
                continue
            row = store_row(
                draft,
                evidence,
                names,
                id=name,
                query_id=query.id,
                kind=query.kind,
                query=query.text,
                mode=mode,
                model=generator.identity,
                prompt_hash=load_prompt(mode).hash,
            )
            with out.open("a", encoding="utf-8") as file:
                file.write(row.model_dump_json() + "\n")
            added += 1
            logger.info("%s: %s", len(done) + added, name)
    return added


def judged_evidence(opened: OpenEngine, query: Query) -> list[Evidence]:
    """Return the evidence that a chat model would be shown."""
    request = parse_request({"text": query.text, "kind": query.kind})
    verify = get_system("verify")
    inputs = verify.inputs(request, kind=query.kind, top_k=opened.engine.settings.top_k)
    outputs = opened.engine.run_pipeline("verify", inputs, options={"generator": "extractive"})
    return list(outputs["verifier"]["evidence"])


def main() -> None:
    """Collect."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--mode", action="append", choices=("references", "contexts", "keywords", "raw"))
    parser.add_argument("--limit", type=int, default=300)
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    settings = load_settings()
    try:
        with open_engine(SAMPLE / "queries.jsonl", settings, corpus=None) as opened:
            collect(opened, settings, options.out, modes=tuple(options.mode or DEFAULT_MODES), limit=options.limit)
    except LooksyError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
