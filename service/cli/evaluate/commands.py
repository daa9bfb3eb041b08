"""The tasks that have commands of their own: retrieval, reader, rag, verdict, claims, extraction."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli import common
from service.cli.evaluate.options import Corpus, Data, Fresh, Out, Repeats, Split, Workers
from service.cli.evaluate.output import finish, show
from service.cli.progress import ConsoleProgress


def retrieval(
    data: Data = None,
    out: Out = None,
    retriever: Annotated[str, typer.Option("--retriever", help="bm25, tfidf, embedding or hybrid.")] = "bm25",
    split: Split = None,
    corpus: Corpus = None,
    claims: Annotated[
        Path | None,
        typer.Option("--claims", help="Published fact-checks to match the texts with, instead of a corpus to search."),
    ] = None,
    qrels: Annotated[Path | None, typer.Option("--qrels", help="TREC judgements, for --run-file.")] = None,
    run_file: Annotated[Path | None, typer.Option("--run-file", help="Score this TREC run; search nothing.")] = None,
    depth: Annotated[int, typer.Option("--depth", min=1, max=1000, help="Articles to rank for each query.")] = 100,
    workers: Workers = 1,
    fresh: Fresh = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """
    Rank a corpus for each query and score it, or score TREC run files. Without --data: the bundled sample.

    --data takes a BEIR folder with corpus.jsonl, queries.jsonl and
    qrels/test.tsv. It takes a TREC folder with topics, qrels and corpus.jsonl,
    or with run files. It takes a YAML file of queries whose relevance is
    keyword logic, such as 'Samoa* AND measles AND NOT headline:sport'.
    --claims takes what 'looksy factchecks import' takes. Ids of fact-checks
    are judged then, also as JSON lines of {"id", "text", "relevant": ["id"]}.
    """
    from core.errors import InputError
    from core.paths import SAMPLE
    from evaluation.data.formats.retrieval_data import read_retrieval_data
    from evaluation.tasks.retrieval.fact_checks import evaluate_matching
    from evaluation.tasks.retrieval.run import RetrievalOptions, evaluate_retrieval
    from evaluation.tasks.retrieval.run_files import evaluate_run_file, evaluate_run_folder

    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments)
    folder = out or settings.data_dir / "runs" / "run-file"
    if run_file is not None or qrels is not None:
        if run_file is None or qrels is None:
            raise InputError("--run-file and --qrels go together", field="qrels", hint="Give both.")
        show(evaluate_run_file(qrels, run_file, folder), folder)
        return
    path = data or SAMPLE
    options = RetrievalOptions(
        retriever=retriever, split=split, corpus=corpus, depth=depth, workers=workers, fresh=fresh
    )
    if claims is not None:
        with ConsoleProgress() as progress:
            run, report = evaluate_matching(path, claims, settings, options, progress=progress)
        finish(run, report, out)
        return
    if path.is_dir() and corpus is None and read_retrieval_data(path, split=split).runs:
        for name, (where, report) in evaluate_run_folder(path, folder).items():
            typer.echo(name)
            show(report, where)
        return
    with ConsoleProgress() as progress:
        run, report = evaluate_retrieval(path, settings, options, progress=progress)
    finish(run, report, out)


def verdict(
    data: Data = None,
    out: Out = None,
    system: Annotated[str, typer.Option("--system", help="What judges claims without given evidence.")] = "verify",
    split: Split = None,
    corpus: Corpus = None,
    workers: Workers = 1,
    repeats: Repeats = 1,
    fresh: Fresh = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """
    Judge claims. Without --data: the bundled sample's statements.

    --data takes JSON lines: {"claim": "...", "label": "SUPPORTED",
    "evidence": ["..."], "pair": "p1"}. Claims with evidence test the verifier
    alone; without, the whole system searches --corpus, or your index. Labels
    of FEVER, SciFact, AVeriTeC, LIAR-New and Climate-FEVER are read as they
    are.
    """
    from core.paths import SAMPLE
    from evaluation.tasks.verdict.run import VerdictOptions, evaluate_verdict

    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments)
    options = VerdictOptions(system=system, split=split, corpus=corpus, workers=workers, repeats=repeats, fresh=fresh)
    with ConsoleProgress() as progress:
        run, report = evaluate_verdict(data or SAMPLE, settings, options, progress=progress)
    finish(run, report, out)


def claims(
    data: Data = None,
    out: Out = None,
    split: Split = None,
    corpus: Corpus = None,
    fresh: Fresh = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """
    Find and judge the claims of whole texts. Without --data: the bundled marked texts.

    --data takes texts with marked sentences, JSON lines or ClaimBuster's CSV:
    what is taken as a claim is scored at the sentence. It also takes
    statements with labels, as 'looksy evaluate verdict' does, or a folder of
    such files: texts are composed from them, and the verdicts are scored too.
    """
    from evaluation.tasks.claims.run import ClaimsOptions, evaluate_claims

    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments)
    options = ClaimsOptions(split=split, corpus=corpus, fresh=fresh)
    with ConsoleProgress() as progress:
        run, report = evaluate_claims(data, settings, options, progress=progress)
    finish(run, report, out)


def reader(
    data: Annotated[Path, typer.Option("--data", help="SQuAD 1.1 or 2.0 JSON, plain or gzip.")],
    out: Out = None,
    predictions: Annotated[
        Path | None, typer.Option("--predictions", help="Score this file (question id to answer); ask no model.")
    ] = None,
    no_answer: Annotated[
        Path | None, typer.Option("--na-prob", help="No-answer probabilities beside --predictions.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            help="Decline above this no-answer score.",
            show_default="0 for the reader; 1 for predictions, as the official script",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Ask at most this many questions.")] = None,
    fresh: Fresh = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """
    Find answers in paragraphs and score them as the official SQuAD script does.

    --data takes SQuAD 1.1 or 2.0 JSON. --predictions scores the answers of
    another system: {"question id": "answer"}.
    """
    from evaluation.tasks.reader.run import ReaderOptions, evaluate_reader

    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments)
    options = ReaderOptions(predictions=predictions, no_answer=no_answer, threshold=threshold, limit=limit, fresh=fresh)
    with ConsoleProgress() as progress:
        run, report = evaluate_reader(data, settings, options, progress=progress)
    finish(run, report, out)


def rag(
    data: Data = None,
    out: Out = None,
    mode: Annotated[
        list[str] | None, typer.Option("--mode", help="references, contexts, keywords or raw. Repeatable.")
    ] = None,
    system: Annotated[str, typer.Option("--system", help="What answers.")] = "verify",
    split: Split = None,
    corpus: Corpus = None,
    bertscore_model: Annotated[
        str, typer.Option("--bertscore-model", help="shipped (offline), none, or a folder or hub name for bert-score.")
    ] = "shipped",
    workers: Workers = 1,
    repeats: Repeats = 1,
    fresh: Fresh = False,
    data_dir: common.DataDir = None,
    profile: common.Profile = None,
    assignments: common.Set = None,
) -> None:
    """
    Answer questions in each mode. Without --data: the bundled sample's questions.

    --data takes CSV with the columns question, answer and article_urls
    (several answers or addresses separated by |), or JSON lines with these
    fields. An empty answer means that the question cannot be answered.
    """
    from core.paths import SAMPLE
    from evaluation.tasks.rag.run import RagOptions, evaluate_rag

    settings = common.make_settings(data_dir=data_dir, profile=profile, assignments=assignments)
    options = RagOptions(
        modes=tuple(mode or ()),
        system=system,
        split=split,
        corpus=corpus,
        bertscore_model=bertscore_model,
        workers=workers,
        repeats=repeats,
        fresh=fresh,
    )
    with ConsoleProgress() as progress:
        done = evaluate_rag(data or SAMPLE, settings, options, progress=progress)
    for run, report in done:
        several = len(done) > 1 and out is not None
        finish(run, report, out / str(report.run.options["mode"]) if several and out else out)


def extraction(
    data: Annotated[Path, typer.Option("--data", help="Folder with saved pages and gold.jsonl[.gz].")],
    out: Out = None,
    data_dir: common.DataDir = None,
) -> None:
    """Extract saved pages and compare body, headline, time and authors with the gold."""
    from evaluation.tasks.extraction.run import evaluate_pages

    settings = common.make_settings(data_dir=data_dir)
    with ConsoleProgress() as progress:
        run, report = evaluate_pages(data, settings, progress=progress)
    finish(run, report, out)
