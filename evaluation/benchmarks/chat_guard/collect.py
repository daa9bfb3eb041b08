"""
Ask a chat model about the sample's development part, and keep each reply with all that the guard sees of it.

::

    python -m evaluation.benchmarks.chat_guard.collect --out replies.jsonl --mode references --mode contexts

The model is the one of the settings. What stands in the file already is not asked again, so that a run can be taken up.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from core.errors import ConfigError, GeneratorError, LooksyError
from core.paths import SAMPLE
from core.requests import parse_request
from core.settings import load_settings
from core.types import QueryKind
from evaluation.benchmarks.chat_guard.rows import ReplyRow, store_row
from evaluation.calibration.readings_cache import kept_lines
from evaluation.data.formats.claims import read_claims
from evaluation.data.formats.questions import QueryRow, read_queries
from evaluation.runs.ask_system import OpenEngine, open_engine
from pipelines.contracts.evidence import Evidence
from pipelines.generation.chat_answerer import ChatAnswerer
from pipelines.generation.prompts import load_prompt
from pipelines.systems.registry import get_system

logger = logging.getLogger(__name__)

DEFAULT_MODES = ("references", "contexts", "keywords")


def development_queries() -> list[QueryRow]:
    """Return the questions and statements of the sample's development part."""
    retold = [
        QueryRow(id=one.id, kind=QueryKind.STATEMENT, text=one.text, split=one.split)
        for one in read_claims(SAMPLE / "retold.jsonl")
    ]
    return [one for one in (*read_queries(SAMPLE / "queries.jsonl"), *retold) if one.split == "dev"]


def collect(opened: OpenEngine, queries: Sequence[QueryRow], out: Path, *, modes: Sequence[str], limit: int) -> int:
    """
    Ask for what is not in the file yet; return the number of replies that were added.

    :param limit: Rows that the file shall have at most.
    :raises ConfigError: If the settings name no chat model.
    """
    done = {ReplyRow.model_validate_json(line).id for line in kept_lines(out)}
    before = len(done)
    engine = opened.engine
    generator = engine.resources.generator()
    if generator is None:
        raise ConfigError("no chat model is set", field="generator", hint="Set LOOKSY_GENERATOR to one.")
    settings = engine.settings.model_copy(update={"generator_fallback": None})
    answerer = ChatAnswerer(generator=generator, settings=settings)
    names = opened.corpus.names.names if opened.corpus else {}
    judged: dict[str, list[Evidence]] = {}
    for mode in modes:  # one after the other: a server keeps the fixed part of the prompt that it read last
        for query in queries:
            name = f"{query.id}-{mode}-{generator.name}"
            if name in done or len(done) >= limit:
                continue
            if query.id not in judged:
                judged[query.id] = judged_evidence(opened, query)
            evidence = judged[query.id]
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
            done.add(name)
            logger.info("%s: %s", len(done), name)
    return len(done) - before


def judged_evidence(opened: OpenEngine, query: QueryRow) -> list[Evidence]:
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
    try:
        with open_engine(SAMPLE / "queries.jsonl", load_settings(), corpus=None) as opened:
            modes = options.mode or DEFAULT_MODES
            collect(opened, development_queries(), options.out, modes=modes, limit=options.limit)
    except LooksyError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
