"""Pools of claims and texts: what they are read from, and rankers compared on one."""

import gzip
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from core.errors import InputError, NotFoundError
from core.types import Status
from evaluation.data.formats.claim_pool import read_claim_pool
from evaluation.runs.models import Prediction
from evaluation.tasks.counter import task as counter
from evaluation.tasks.counter.measures import figures, ranks_of
from service.cli.main import app
from tests.evaluation.data.test_formats import write

TEXTS = {
    "t1": ("Bridge repaired", ["The Osterholm bridge was repaired.", "The work cost 48 million crowns."]),
    "t2": ("Herring fishing", ["Fishers landed more herring than in the year before.", "The quota stays."]),
    "t3": ("School meals", ["Meals in schools will be free from August on.", "Parents welcomed it."]),
    "t4": ("A storm", ["The storm broke windows in the harbour.", "Nobody was hurt."]),
}
CLAIMS = [
    {"id": "c1", "claim": "Repairing the Osterholm bridge cost 95 million.", "gold_abstract": "t1", "split": "test"},
    {"id": "c2", "claim": "Pupils must pay for lunch.", "gold_abstract": ["t3"], "split": "test"},
    {"id": "c3", "claim": "Herring is gone.", "gold_abstract": "t2", "split": "train"},
]


def lines(rows):
    return "\n".join(map(json.dumps, rows))


@pytest.fixture
def pool(tmp_path):
    folder = tmp_path / "pool"
    folder.mkdir()
    write(folder, "claims.jsonl", lines(CLAIMS))
    rows = lines({"id": name, "title": title, "sentences": body} for name, (title, body) in TEXTS.items())
    (folder / "abstracts.jsonl.gz").write_bytes(gzip.compress(rows.encode()))
    return folder


def test_claims_and_abstracts_are_read_the_test_split_by_itself(pool):
    found = read_claim_pool(pool)
    assert [claim.id for claim in found.claims] == ["c1", "c2"]
    assert found.texts["t3"].startswith("School meals. Meals in schools")
    assert "split: test" in found.note
    assert [claim.id for claim in read_claim_pool(pool / "claims.jsonl", split="train").claims] == ["c3"]


def test_a_beir_folder_is_a_pool_with_several_right_texts(tmp_path):
    (tmp_path / "qrels").mkdir()
    corpus = lines({"_id": name, "title": title, "text": " ".join(body)} for name, (title, body) in TEXTS.items())
    write(tmp_path, "corpus.jsonl", corpus)
    write(tmp_path, "queries.jsonl", lines([{"_id": "q", "text": "bridge"}, {"_id": "r", "text": "rain"}]))
    write(tmp_path, "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tt1\t2\nq\tt4\t1\nq\tt2\t0\nr\tt2\t0\n")
    found = read_claim_pool(tmp_path)
    assert [(claim.id, claim.right) for claim in found.claims] == [("q", ("t1", "t4"))]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"claim": "x", "gold_abstract": "t9"}, "about t9, which .* does not hold"),
        ({"claim": "x"}, "line 1: gold_abstract is missing"),
        ({"claim": " ", "gold_abstract": "t1"}, "line 1: claim is missing"),
        ({"id": "c", "claim": "x", "gold_abstract": "t1", "split": "dev"}, None),
    ],
)
def test_what_is_wrong_with_a_pool_is_told(pool, row, message):
    write(pool, "claims.jsonl", lines([row]))
    if message is None:
        with pytest.raises(InputError, match=r"no claims of split 'test'") as raised:
            read_claim_pool(pool, split="test")
        assert "dev" in raised.value.hint
        return
    with pytest.raises(InputError, match=message):
        read_claim_pool(pool)


def test_a_pool_without_texts_or_place_is_refused(pool, tmp_path):
    (pool / "abstracts.jsonl.gz").unlink()
    with pytest.raises(InputError, match="no texts beside"):
        read_claim_pool(pool)
    with pytest.raises(NotFoundError, match="nowhere"):
        read_claim_pool(tmp_path / "nowhere")


def test_figures_of_several_right_texts_by_hand():
    ranks = ranks_of(np.array([0.5, 0.9, 0.5, 0.1], dtype=np.float32), [0, 3])
    assert ranks == (3, 4)  # the tie counts against the right text
    found = figures(ranks)
    assert (found["N@1"], found["R@3"], found["R@5"]) == (0.0, 0.5, 1.0)
    assert found["N@5"] == pytest.approx((1 / 2 + 1 / np.log2(5)) / (1 + 1 / np.log2(3)))
    assert found["N@3"] == pytest.approx((1 / 2) / (1 + 1 / np.log2(3)))


def test_counter_reports_the_rankers_over_a_pool(pool, tmp_path):
    pytest.importorskip("bm25s", reason="bm25s is not installed (extra [evaluation])")
    article = {"id": "a", "url": "https://a.example/x", "headline": "Bridge repaired"}
    body = "The repairs of the Osterholm bridge cost 48 million crowns."
    write(tmp_path, "articles.jsonl", json.dumps(article | {"body": body, "published_at": "2020-01-02"}))
    claim = {"id": "c1", "claim": "The repairs of the Osterholm bridge cost 95 million crowns.", "label": "refuted"}
    data = write(tmp_path, "claims.jsonl", lines([claim]))
    places = ["--data-dir", tmp_path / "var", "--out", tmp_path / "out"]
    done = CliRunner().invoke(
        app, list(map(str, ["evaluate", "counter", "--data", data, "--pool", pool, "--pool-split", "test", *places]))
    )
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "out/report.json").read_text())
    measures = report["measures"]
    for ranker in ("BM25", "embedder", "reranker"):
        for name in ("N@1", "N@3", "R@3", "N@5", "R@5"):
            assert measures[f"{ranker} {name}"]["n"] == 2
    # the first claim shares words with its text, the second only the meaning
    assert measures["BM25 N@1"]["value"] == 0.5
    assert measures["reranker N@1"]["value"] == 1.0
    assert measures["reranker N@1"]["low"] is not None
    assert measures["replied"]["n"] == 1
    assert report["timing"]["n"] == 1
    assert [table["title"] for table in report["tables"]] == [
        "Rankers over the pool",
        "The reranker against the others",
    ]
    assert any("2 claims" in note for note in report["notes"])
    again = CliRunner().invoke(app, ["evaluate", "score", report["run"]["run_id"], *map(str, places[:2])])
    assert again.exit_code == 0, again.output


def test_the_pool_is_scored_from_saved_ranks():
    items = [counter.CounterItem(id=f"pool:{name}", text=name, label=None) for name in "ab"]
    ranks = [{"BM25": (4,), "reranker": (1,)}, {"BM25": (1,), "reranker": (2,)}]
    outputs = [
        Prediction(id=item.id, status=Status.OK, output=counter.CounterOutput(verdict=None, ranks=one))
        for item, one in zip(items, ranks, strict=True)
    ]
    scores = counter.score(items, outputs)
    assert scores.measures["BM25 R@3"].value == 0.5
    assert scores.measures["reranker N@3"].value == pytest.approx((1 + 1 / np.log2(3)) / 2)
    assert scores.measures["replied"].n == 0
    assert scores.per_item["pool:a"]["reranker N@1"] == 1.0
    assert scores.details[0].lines[0].text == "right texts at rank 4"


def test_only_the_counter_takes_a_pool(pool, tmp_path):
    done = CliRunner().invoke(app, ["evaluate", "agent", "--pool", str(pool)])
    assert done.exit_code == 2
    alone = CliRunner().invoke(app, ["evaluate", "counter", "--pool-split", "dev", "--data-dir", str(tmp_path)])
    assert alone.exit_code != 0
    assert "no pool" in alone.output
