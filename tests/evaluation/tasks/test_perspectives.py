"""`looksy evaluate perspectives`: reading, figures, and the command."""

import json

import pytest
from sklearn.metrics import adjusted_rand_score, f1_score, v_measure_score
from typer.testing import CliRunner

from core.errors import InputError
from core.types import Status
from evaluation.data.formats.perspectives import KnownPerspective, read_perspectives
from evaluation.runs.models import Prediction
from evaluation.tasks.perspectives.task import PerspectivesItem, PerspectivesOutput, Shown, score
from pipelines.systems.perspectives.types import Stance
from service.cli.main import app


def _item(*known):
    rows = [KnownPerspective(url=url, stance=stance, cluster=cluster) for url, stance, cluster in known]
    return PerspectivesItem(id="q", text="Should it?", known=tuple(rows))


def _prediction(*shown):
    rows = [Shown(url=url, stance=stance, yes=yes, cluster=cluster) for url, stance, yes, cluster in shown]
    return Prediction[PerspectivesOutput](id="q", status=Status.OK, output=PerspectivesOutput(shown=tuple(rows)))


def test_figures_are_those_of_scikit_learn():
    item = _item(("a", "yes", "1"), ("b", "no", "2"), ("c", "no", "2"), ("d", "mixed", ""), ("e", "yes", "1"))
    prediction = _prediction(
        ("a", "yes", 0.9, 0), ("b", "mixed", 0.6, 0), ("c", "no", 0.2, 1), ("d", "no", 0.1, 1), ("x", "yes", 0.9, 2)
    )
    measures = {name: one.value for name, one in score([item], [prediction]).measures.items()}
    assert measures["found"] == pytest.approx(4 / 5)
    assert measures["evidence_precision"] == pytest.approx(4 / 5)
    assert measures["stance_accuracy"] == pytest.approx(2 / 3)
    assert measures["stance_macro_f1"] == pytest.approx(
        f1_score(["yes", "no", "no"], ["yes", "yes", "no"], average="macro")
    )
    assert measures["sides_named"] == pytest.approx(2 / 3)
    assert measures["named_accuracy"] == 1.0
    assert measures["ari"] == pytest.approx(adjusted_rand_score([1, 2, 2], [0, 0, 1]))
    assert measures["v_measure"] == pytest.approx(v_measure_score([1, 2, 2], [0, 0, 1]))


def test_nothing_shown_is_found_nothing():
    scores = score([_item(("a", "yes", "1"))], [_prediction()])
    assert scores.measures["found"].value == 0.0
    assert scores.measures["stance_accuracy"].value is None


def test_an_article_is_found_by_any_of_its_addresses():
    item = _item(("https://www.e.example/1/?utm_source=rss", "yes", "1"))
    measures = score([item], [_prediction(("https://e.example/1", "yes", 0.9, 0))]).measures
    assert measures["found"].value == measures["evidence_precision"].value == measures["stance_accuracy"].value == 1.0


def test_names_of_other_sets_are_known(tmp_path):
    file = tmp_path / "q.jsonl"
    file.write_text(
        json.dumps({"id": 1, "text": "x", "perspectives": [{"url": "a", "stance": "UNDERMINE", "cluster": 3}]})
    )
    (row,) = read_perspectives(file)
    assert (row.perspectives[0].stance, row.perspectives[0].cluster) == (Stance.NO, "3")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"id": "1", "text": "x"}, "perspectives"),
        ({"id": "1", "text": "x", "perspectives": [7]}, "not an object"),
        ({"id": "1", "text": "x", "perspectives": [{"url": "a", "stance": "maybe"}]}, "maybe"),
        ({"id": "1", "text": "x", "perspectives": [{"stance": "yes"}]}, "url"),
        ({"id": "1", "text": "x", "perspectives": [{"url": "https://[x/a", "stance": "yes"}]}, "is not an address"),
    ],
)
def test_malformed_lines_are_named(tmp_path, row, problem):
    file = tmp_path / "q.jsonl"
    file.write_text("\n" + json.dumps(row) + "\n")
    with pytest.raises(InputError, match=rf"2.*{problem}"):
        read_perspectives(file)


def test_it_is_a_command(tmp_path):
    texts = {"https://e.example/1": "Wolves should return to the forests, biologists say.",
             "https://e.example/2": "Wolves must not return to the forests, farmers say."}  # fmt: skip
    articles = [{"url": url, "headline": "Wolves", "body": text} for url, text in texts.items()]
    (tmp_path / "articles.jsonl").write_text("\n".join(map(json.dumps, articles)))
    known = [{"url": url, "stance": stance} for url, stance in zip(texts, ("yes", "no"), strict=True)]
    (tmp_path / "q.jsonl").write_text(json.dumps({"id": "w", "text": "Should wolves return?", "perspectives": known}))
    arguments = ["--data", tmp_path / "q.jsonl", "--out", tmp_path / "out", "--data-dir", tmp_path / "var"]
    done = CliRunner().invoke(app, ["evaluate", "perspectives", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    measures = json.loads((tmp_path / "out/report.json").read_text())["measures"]
    assert measures["found"]["value"] == 1.0
