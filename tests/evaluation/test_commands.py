import json

import pytest
from typer.testing import CliRunner

from core.errors import ConfigError
from core.paths import SAMPLE
from core.settings import Settings, load_settings
from evaluation.data.formats.labels import Label
from evaluation.tasks.verdict.run import VerdictOptions, evaluate_verdict
from evaluation.tasks.verdict.task import VerdictOutput
from service.cli.main import app
from tests.chat_server import MODEL, ChatServer
from tests.evaluation.data.test_formats import beir, write

MEASURE_FIELDS = {"value", "low", "high", "n"}


def looksy(*arguments, code=0):
    result = CliRunner().invoke(app, ["evaluate", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def measures(out):
    report = json.loads((out / "report.json").read_text())
    assert all(set(value) == MEASURE_FIELDS for value in report["measures"].values())
    return report["measures"]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


def test_the_sample_is_evaluated_by_default(tmp_path, data_dir):
    looksy("retrieval", "--out", tmp_path, "--data-dir", data_dir)
    found = measures(tmp_path)
    assert found["MRR"]["n"] == 50
    assert 0.5 < found["MRR"]["low"] < found["MRR"]["value"] < found["MRR"]["high"]
    for name in ("report.md", "report.html", "report.tex", "per_query.jsonl", "run.trec"):
        assert (tmp_path / name).stat().st_size > 0


def test_the_run_file_scores_as_the_run_did(tmp_path, data_dir):
    looksy("retrieval", "--data", SAMPLE / "qrels_logic.yaml", "--out", tmp_path / "a", "--data-dir", data_dir)
    from evaluation.data.formats.retrieval_data import read_retrieval_data

    data = read_retrieval_data(SAMPLE / "qrels_logic.yaml")
    lines = [f"{q} 0 {d} {g}\n" for q, row in data.judgements.items() for d, g in row.items()]
    qrels = write(tmp_path, "qrels.txt", "".join(lines))
    looksy(
        "retrieval", "--qrels", qrels, "--run-file", tmp_path / "a/run.trec", "--out", tmp_path / "b",
        "--data-dir", data_dir,
    )  # fmt: skip
    assert measures(tmp_path / "a") == measures(tmp_path / "b")


def test_beir_data(tmp_path, data_dir):
    looksy("retrieval", "--data", beir(tmp_path / "beir"), "--out", tmp_path / "out", "--data-dir", data_dir)
    assert measures(tmp_path / "out")["MRR"] == {"value": 1.0, "low": None, "high": None, "n": 1}


def test_a_trec_folder_with_run_files_is_scored_without_searching(tmp_path, data_dir):
    write(tmp_path, "qrels.txt", "1 0 a 1\n2 0 b 1\n")
    write(tmp_path, "good.run", "1 Q0 a 1 2 t\n1 Q0 c 2 1 t\n")
    looksy("retrieval", "--data", tmp_path, "--out", tmp_path / "out", "--data-dir", data_dir)
    assert measures(tmp_path / "out")["MRR"]["value"] == 0.5


def test_run_files_of_one_stem_have_reports_of_their_own(tmp_path, data_dir):
    write(tmp_path, "qrels.txt", "1 0 a 1\n2 0 b 1\n")
    write(tmp_path, "run.bm25", "1 Q0 a 1 2 t\n")
    write(tmp_path, "run.dense", "1 Q0 a 1 2 t\n2 Q0 b 1 2 t\n")
    for out, folders in ((tmp_path / "out", ("run.bm25", "run.dense")), (tmp_path, ("run.bm25.report",))):
        shown = looksy("retrieval", "--data", tmp_path, "--out", out, "--data-dir", data_dir).output
        assert all(str(out / folder / "report.html") in shown.replace("\n", "") for folder in folders)
    assert measures(tmp_path / "out/run.bm25")["MRR"]["value"] == 0.5
    assert measures(tmp_path / "out/run.dense")["MRR"]["value"] == 1.0
    runs = (tmp_path / "out/run.bm25", tmp_path / "out/run.dense")
    compared = json.loads(looksy("compare", *runs, "--json", "--data-dir", data_dir).stdout)
    assert (compared["shared_items"], len(compared["notes"])) == (2, 1)
    assert compared["first"] != compared["second"]


def test_compare_and_score_and_runs(tmp_path, data_dir):
    listed = looksy("runs", "--data-dir", data_dir).output
    run = next(word for word in listed.split() if word.startswith("retrieval-"))
    for out in (tmp_path, data_dir / "runs" / run):
        looksy("score", run, "--out", out, "--data-dir", data_dir)
    compared = json.loads(looksy("compare", run, run, "--json", "--data-dir", data_dir).stdout)
    assert compared["measures"][0]["test"]["p_value"] == 1.0
    assert "higher/equal/lower" in looksy("compare", run, run, "--data-dir", data_dir).stdout  # lower may be better


def test_claims_with_given_evidence(tmp_path, data_dir):
    passage = "Brazil's senate confirmed on Monday that 81 people died in the flood."
    rows = [
        {"claim": "81 people died in the flood.", "evidence": passage, "label": "SUPPORTED", "pair": 1},
        {"claim": "Nobody died in the flood.", "evidence": passage, "label": "REFUTED", "pair": 1},
        {"claim": "The senate spoke on Monday.", "evidence": passage, "label": "SUPPORTED"},
        {"claim": "The senate kept silent.", "evidence": passage, "label": "REFUTED"},
    ]
    file = write(tmp_path, "claims.jsonl", "\n".join(json.dumps(row) for row in rows))
    looksy("verdict", "--data", file, "--out", tmp_path / "out", "--data-dir", data_dir)
    found = measures(tmp_path / "out")
    assert found["accuracy"]["n"] == 4
    assert {"pair_both_right", "pair_order", "ece", "brier", "aurc", "statement_only_accuracy"} <= set(found)
    judged = [json.loads(line) for line in (tmp_path / "out/per_query.jsonl").read_text().splitlines()]
    assert len(judged) == 4
    for one in judged:
        assert one["scores"].keys() == {"supports", "refutes", "neither"}
        assert sum(one["scores"].values()) == pytest.approx(1)
    likeliest = [max(one["scores"], key=one["scores"].get) for one in judged]
    right = [label == gold for label, gold in zip(likeliest, ["supports", "refutes"] * 2, strict=True)]
    assert right == [bool(one["values"]["accuracy"]) for one in judged]


def test_given_evidence_is_judged_by_the_verifier_that_is_set(tmp_path):
    rows = [
        {"claim": "81 people died in the flood.", "evidence": "81 people died in the flood.", "label": "SUPPORTED"},
        {"claim": "The senate kept silent.", "evidence": ["It is late.", "The senate spoke."], "label": "REFUTED"},
    ]
    file = write(tmp_path, "claims.jsonl", "\n".join(json.dumps(row) for row in rows))
    shipped, _ = evaluate_verdict(file, Settings(data_dir=tmp_path / "var"), VerdictOptions())
    assert next(shipped.predictions(VerdictOutput)).output.label is Label.SUPPORTS
    replies = ['{"label": "refutes"}', '{"label": "neither"}', '{"label": "refutes"}']
    with ChatServer(*replies) as server:
        chat = {"generator": "openai", "generator_url": server.url, "generator_model": MODEL, "judge": "chat"}
        chosen = load_settings({"data_dir": tmp_path / "var", **chat}, environment={})
        folder, report = evaluate_verdict(file, chosen, VerdictOptions())
        assert len(server.requests) == 3
    found = [one.output for one in folder.predictions(VerdictOutput)]
    assert report.failed == 0
    assert [one.label for one in found] == [Label.REFUTES, Label.REFUTES]
    assert [one.confidence for one in found] == [0.8, 0.8]
    assert found[0].score == pytest.approx(-0.7)
    with pytest.raises(ConfigError, match="judge"):
        evaluate_verdict(file, Settings(data_dir=tmp_path / "var", judge="chat"), VerdictOptions())


def test_a_system_without_verdicts_is_not_scored_as_silent(tmp_path, data_dir):
    beir(tmp_path)
    file = write(tmp_path, "claims.jsonl", json.dumps({"claim": "Apples are red.", "label": "neither"}))
    done = looksy("verdict", "--data", file, "--system", "perspectives", "--data-dir", data_dir, code=2)
    assert "system perspectives gives no verdicts" in done.output


def test_saved_squad_predictions(tmp_path, data_dir):
    from tests.evaluation.measures.test_text_measures import DATA, OFFICIAL

    looksy(
        "reader", "--data", DATA / "squad.json", "--predictions", DATA / "squad_predictions.json",
        "--na-prob", DATA / "squad_no_answer.json", "--out", tmp_path, "--data-dir", data_dir,
    )  # fmt: skip
    found = measures(tmp_path)
    assert found["exact_match"]["value"] == pytest.approx(OFFICIAL["exact"])
    assert found["best_f1"]["value"] == pytest.approx(OFFICIAL["best_f1"][0])


def test_answers_over_a_corpus_of_ones_own(tmp_path, data_dir):
    article = {
        "id": "flood",
        "url": "https://example.org/flood",
        "headline": "Flood in Brazil",
        "body": "The flood began on Monday. Officials said 81 people died in the flood in Brazil.",
        "published_at": "2020-01-02",
    }
    corpus = write(tmp_path, "articles.jsonl", json.dumps(article))
    data = write(
        tmp_path, "qa.csv", "question,answer,url\nHow many people died in the flood?,81,https://example.org/flood\n"
    )
    looksy("rag", "--data", data, "--corpus", corpus, "--out", tmp_path / "out", "--data-dir", data_dir)
    found = measures(tmp_path / "out")
    assert found["answer_in_evidence"]["value"] == 1.0
    assert found["citation_recall"]["value"] == 1.0


@pytest.mark.parametrize(
    "arguments",
    [
        ("retrieval", "--data", "nowhere"),
        ("retrieval", "--retriever", "telepathy"),
        ("retrieval", "--qrels", "x"),
        ("rag", "--mode", "raw"),
        ("verdict", "--data", "nowhere.jsonl"),
        ("compare", "a", "b"),
    ],
)
def test_wrong_arguments_end_with_code_2(arguments, data_dir):
    result = looksy(*arguments, "--data-dir", data_dir, code=2)
    assert "Error" in result.output


def test_claims_without_evidence_corpus_or_index_say_what_to_give(tmp_path):
    file = write(tmp_path, "claims.jsonl", json.dumps({"claim": "A ferry burned.", "label": "true"}))
    result = looksy("verdict", "--data", file, "--data-dir", tmp_path / "empty", code=2)
    assert "--corpus FILE" in result.output


def test_floors_that_do_not_hold_are_named(tmp_path, monkeypatch):
    from evaluation.benchmarks import floors

    rows = [floor.model_dump(mode="json") for floor in floors.read_floors() if not floor.slow][:2]
    rows[0]["value"] = 1.5
    monkeypatch.setattr(
        floors.check_floors,
        "__kwdefaults__",
        floors.check_floors.__kwdefaults__ | {"path": write(tmp_path, "floors.json", json.dumps(rows))},
    )
    result = CliRunner().invoke(app, ["benchmark", "floors", "--quick", "--data-dir", str(tmp_path / "var")])
    assert result.exit_code == 1
    assert "1 of 2 floors do not hold" in result.output
    assert "is below 1.5000" in result.output
