"""
`python -m training.chat.counter.collect --claims FILE --out FILE`: claims and an index to a file to tune with.

Each claim is asked of the system `counter`, over the user's own index or the corpus named. Those that it refutes are
written with their quotes, in the form of `evaluation.data.formats.refuted_claims`; a person may then add replies. No
chat model is asked.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import LooksyError
from core.requests import parse_request
from core.settings import GeneratorKind, load_settings
from core.types import Article, QueryKind, Reference, Relation, Result, Verdict
from evaluation.data.formats.claims import Claim, read_claims
from evaluation.runs.ask_system import ask_system, open_engine
from pipelines.engine import Engine

_RELATIONS = {Relation.REFUTES, Relation.MENTIONS}


def collect(claims: Sequence[Claim], engine: Engine) -> Iterator[dict[str, Any]]:
    """Yield a line for each claim that is refuted with a quote, in order."""
    for one in claims:
        request = parse_request({"text": one.text, "kind": QueryKind.STATEMENT})
        result = ask_system(engine, "counter", request)
        if result.verdict is Verdict.REFUTED:
            evidence = list(_evidence(result, engine))
            if any(row["relation"] == Relation.REFUTES for row in evidence):
                yield {"id": one.id, "claim": one.text, "evidence": evidence}


def _evidence(result: Result, engine: Engine) -> Iterator[dict[str, Any]]:
    articles = engine.resources.store().get_articles(reference.article_id for reference in result.references)
    for reference in result.references:
        article = articles.get(reference.article_id)
        if article is not None:
            yield from _quotes(reference, article)


def _quotes(reference: Reference, article: Article) -> Iterator[dict[str, Any]]:
    for quote in reference.quotes:
        if quote.relation in _RELATIONS and quote.text in article.body:
            yield {
                "quote": quote.text,
                "url": article.url,
                "relation": quote.relation.value,
                "text": article.body,
                "headline": article.headline,
                "source": article.source,
            } | ({"published_at": article.published_at.isoformat()} if article.published_at else {})


def main(given: Sequence[str] | None = None) -> int:
    """Read the command line, ask, and write."""
    parser = argparse.ArgumentParser(description="Write the claims that are refuted, with quotes, to tune with.")
    parser.add_argument("--claims", type=Path, required=True, help="JSON lines with claim and label.")
    parser.add_argument("--out", type=Path, required=True, help="File to write.")
    parser.add_argument("--corpus", type=Path, help="Articles to search; default: beside the claims, else the index.")
    parser.add_argument("--data-dir", type=Path, help="Data folder with the index.")
    options = parser.parse_args(given)
    try:
        settings = load_settings({"data_dir": options.data_dir, "generator": GeneratorKind.EXTRACTIVE})
        claims = read_claims(options.claims)
        with open_engine(options.claims, settings, corpus=options.corpus) as opened, options.out.open("w") as out:
            written = 0
            for row in collect(claims, opened.engine):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                written += 1
    except LooksyError as error:
        parser.exit(error.exit_code, f"{error.message}\n{error.hint or ''}\n")
    sys.stderr.write(f"{written} of {len(claims)} claims are refuted with a quote: {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
