"""
Retrieval data of any format, as queries with judgements, and where the corpus and the run files are.

| what PATH is | read as |
|---|---|
| a folder with `queries.jsonl` and `qrels/*.tsv` | BEIR |
| a folder with `articles.jsonl[.gz]` and `queries.jsonl` | the bundled sample's form |
| a folder with topics, qrels and a corpus or run files | TREC |
| a YAML file | keyword logic |
| a `.jsonl` file of `{id, text, relevant}` | texts, each with the ids that are relevant |

Each file may be gzip, with `.gz` behind its name.
"""

from pathlib import Path

from core.errors import InputError, NotFoundError
from core.types import Model, QueryKind
from evaluation.data.formats.corpus import read_corpus
from evaluation.data.formats.keyword_logic import judge, read_logic
from evaluation.data.formats.lines import fail, plain_or_gzip, read_objects, row_id, text_field, text_list
from evaluation.data.formats.questions import HOLDS_ANSWER, read_queries
from evaluation.data.formats.trec_qrels import read_qrels
from evaluation.data.formats.trec_topics import read_topics

_CORPUS_NAMES = ("corpus.jsonl", "corpus.jsonl.gz", "articles.jsonl", "articles.jsonl.gz")
_FORMS = "a BEIR folder, a TREC folder, a folder like evaluation/datasets/sample, or a keyword-logic YAML file"


class RetrievalData(Model):
    """What retrieval is measured on."""

    format: str
    queries: dict[str, str]
    """Id to text; of judged queries only."""
    judgements: dict[str, dict[str, int]]
    corpus: Path | None
    runs: tuple[Path, ...] = ()
    """TREC run files to score instead of searching."""
    files: tuple[Path, ...]
    """All that was read."""
    notes: tuple[str, ...] = ()


def read_retrieval_data(path: Path, *, split: str | None = None, corpus: Path | None = None) -> RetrievalData:
    """
    Find out the format and read it.

    :param split: Of BEIR: the file in `qrels/`; of the sample's form: dev or test. None: BEIR's test; all queries.
    :param corpus: Search this one instead of what lies beside the queries.
    :raises InputError: If it is of no known format, a split is named of one that has none, or a line is malformed; the
        message names file and line.
    """
    if not path.exists():
        raise NotFoundError(f"{path} is not there", field="data", hint=f"Give {_FORMS}.")
    if path.suffix in {".yaml", ".yml"}:
        _refuse_split(path, split)
        return _logic(path, corpus)
    if path.is_file() and path.name.endswith((".jsonl", ".jsonl.gz")):
        _refuse_split(path, split)
        return _lines(path, corpus)
    if not path.is_dir():
        raise InputError(f"{path} is not a folder, JSON lines or a YAML file", field="data", hint=f"Give {_FORMS}.")
    beside = corpus or find_corpus(path)
    queries = plain_or_gzip(path / "queries.jsonl")
    if queries.is_file() and (path / "qrels").is_dir():
        return _beir(queries, split or "test", beside)
    if queries.is_file() and beside is not None:
        return _sample(queries, split, beside)
    qrels = _matching(path, "qrel")
    topics = [file for file in _matching(path, "topic") if file not in qrels]
    if qrels:
        _refuse_split(path, split)
        return _trec(path, topics, qrels, beside)
    raise InputError(f"{path} is of no known format", field="data", hint=f"Give {_FORMS}.")


def find_corpus(folder: Path) -> Path | None:
    """Return the corpus in a folder; None if there is none."""
    return next((folder / name for name in _CORPUS_NAMES if (folder / name).is_file()), None)


def _refuse_split(path: Path, split: str | None) -> None:
    if split is not None:
        raise InputError(f"{path} has no splits, and {split!r} is named", field="split", hint="Leave --split out.")


def _matching(folder: Path, word: str) -> list[Path]:
    return sorted(entry for entry in folder.iterdir() if entry.is_file() and word in entry.name.lower())


def _logic(path: Path, corpus: Path | None) -> RetrievalData:
    logic = read_logic(path)
    where = corpus or logic.corpus or find_corpus(path.parent)
    if where is None:
        raise InputError(f"{path} names no corpus", field="corpus", hint="Add 'corpus: FILE', or give --corpus FILE.")
    judged = judge(logic.queries, read_corpus(where))
    if not judged.judgements:
        raise InputError(f"{path}: no expression matches any article", field="data", hint="Check the expressions.")
    counts = ", ".join(f"{query.id} {len(judged.judgements.get(query.id, {}))}" for query in logic.queries)
    return RetrievalData(
        format="keyword logic",
        queries={query.id: query.text for query in logic.queries if query.id in judged.judgements},
        judgements=judged.judgements,
        corpus=where,
        files=(path, where),
        notes=(f"Relevant articles a query: {counts}.", *judged.warnings),
    )


def _lines(file: Path, corpus: Path | None) -> RetrievalData:
    texts: dict[str, str] = {}
    judgements: dict[str, dict[str, int]] = {}
    for line, row in read_objects(file):
        name = row_id(row, texts, path=file, line=line)
        if name in texts:
            fail(file, line, f"query {name} stands twice")
        texts[name] = text_field(row, "text", path=file, line=line)
        relevant = text_list(row, "relevant", path=file, line=line)
        judgements[name] = dict.fromkeys(relevant, 1)
    return _joined("texts with ids", texts, judgements, corpus=corpus, files=(file, file))


def _beir(file: Path, split: str, corpus: Path | None) -> RetrievalData:
    folder = file.parent / "qrels"
    qrels = plain_or_gzip(folder / f"{split}.tsv")
    if not qrels.is_file():
        there = ", ".join(sorted({one.name.partition(".tsv")[0] for one in folder.glob("*.tsv*")})) or "none"
        raise NotFoundError(f"{qrels} is not there", field="split", hint=f"Splits that are there: {there}.")
    texts: dict[str, str] = {}
    for line, row in read_objects(file):
        name = text_field(row, "_id", path=file, line=line)
        if name in texts:
            fail(file, line, f"query {name} stands twice")
        texts[name] = text_field(row, "text", path=file, line=line)
    return _joined("BEIR", texts, read_qrels(qrels), corpus=corpus, files=(file, qrels))


def _sample(file: Path, split: str | None, corpus: Path) -> RetrievalData:
    rows = [
        row
        for row in read_queries(file)
        if row.kind is QueryKind.QUESTION and row.answerable and split in {None, row.split} and row.article_ids
    ]
    if not rows:
        raise InputError(f"{file} holds no answerable question of split {split!r}", field="split")
    return RetrievalData(
        format="sample",
        queries={row.id: row.text for row in rows},
        judgements={row.id: dict.fromkeys(row.article_ids, HOLDS_ANSWER) for row in rows},
        corpus=corpus,
        files=(file, corpus),
    )


def _trec(path: Path, topics: list[Path], qrels: list[Path], corpus: Path | None) -> RetrievalData:
    if len(qrels) > 1 or len(topics) > 1:
        raise InputError(f"{path} holds several topics or qrels files", field="data", hint="Keep one of each.")
    runs = tuple(file for file in _matching(path, "run") if file not in {*qrels, *topics, corpus})  # qrels.pruned.txt
    judgements = read_qrels(qrels[0])
    if runs:
        texts = read_topics(topics[0]) if topics else {}
        return RetrievalData(
            format="TREC run",
            queries={query: texts.get(query, "") for query in judgements},
            judgements=judgements,
            corpus=corpus,
            runs=runs,
            files=(qrels[0], *topics, *runs),
        )
    if not topics:
        raise InputError(f"{path} holds neither topics nor run files", field="data", hint="Add topics.txt or run.txt.")
    return _joined("TREC", read_topics(topics[0]), judgements, corpus=corpus, files=(topics[0], qrels[0]))


def _joined(
    name: str,
    texts: dict[str, str],
    judgements: dict[str, dict[str, int]],
    *,
    corpus: Path | None,
    files: tuple[Path, ...],
) -> RetrievalData:
    if corpus is None:
        raise InputError(
            f"there is no corpus beside {files[0]}", field="corpus", hint="Add corpus.jsonl, or give --corpus FILE."
        )
    unknown = [query for query in judgements if query not in texts]
    judged = {query: judgements[query] for query in texts if query in judgements}
    if not judged:
        raise InputError(f"no query of {files[0]} is judged in {files[1]}", field="data", hint="Check the ids.")
    hopeless = [query for query, grades in judged.items() if not any(grades.values())]
    notes = [
        f"{len(names)} judged queries {problem}: {', '.join(names[:5])}."
        for names, problem in (
            (unknown, "have no text and are left out"),
            (hopeless, "have no relevant document and can only score 0"),
        )
        if names
    ]
    return RetrievalData(
        format=name,
        queries={query: texts[query] for query in judged},
        judgements=judged,
        corpus=corpus,
        files=(*files, corpus),
        notes=tuple(notes),
    )
