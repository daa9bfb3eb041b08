"""`looksy evaluate perspectives` on texts that are given with a query."""

import json

import pytest
from sklearn.metrics import f1_score
from typer.testing import CliRunner

from core.errors import InputError
from core.types import Status
from evaluation.data.formats.stance_pairs import PairLabel, read_stance_pairs
from evaluation.runs.models import Prediction
from evaluation.tasks.perspectives.pairs import PairOutput
from evaluation.tasks.perspectives.task import PerspectivesItem, PerspectivesOutput, read, score
from service.cli.main import app


def _lines(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def test_public_sets_are_read_in_their_own_names(tmp_path):
    plain = _lines(tmp_path / "a.jsonl", {"id": "1", "query": "Is it?", "text": "It is.", "label": "supports"})
    debate = _lines(tmp_path / "b.jsonl", {"id": 1, "claim": "It is.", "perspective": "No.", "label": "undermine"})
    _lines(tmp_path / "bodies.jsonl", {"body_id": 7, "body": "Some say so."})
    news = _lines(tmp_path / "c.jsonl", {"id": 1, "headline": "It is", "body_id": 7, "label": "discuss"})
    found = [read_stance_pairs(path)[0] for path in (plain, debate, news)]
    assert [one.label for one in found] == [PairLabel.SUPPORTS, PairLabel.OPPOSES, PairLabel.NEUTRAL]
    assert [one.text for one in found] == ["It is.", "No.", "Some say so."]


def test_the_challenges_own_files_are_read(tmp_path):
    (tmp_path / "train_bodies.csv").write_text('Body ID,articleBody\n4,"First line.\nSecond, line."\n')
    stances = tmp_path / "train_stances.csv"
    stances.write_text('Headline,Body ID,Stance\n"It is, they say",4,agree\nNo,4,unrelated\n')
    first, second = read_stance_pairs(stances)
    assert (first.query, first.text, first.label) == (
        "It is, they say",
        "First line.\nSecond, line.",
        PairLabel.SUPPORTS,
    )
    assert second.label is PairLabel.UNRELATED


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"id": 1, "query": "x", "text": "y", "label": "perhaps"}, "perhaps"),
        ({"id": 1, "query": "x", "text": "", "label": "agree"}, "text is missing"),
        ({"id": 1, "headline": "x", "body_id": 3, "label": "agree"}, "body_id points"),
    ],
)
def test_malformed_pairs_are_named(tmp_path, row, problem):
    with pytest.raises(InputError, match=rf"line 1.*{problem}"):
        read_stance_pairs(_lines(tmp_path / "x.jsonl", row))


def _prediction(name, label, yes):
    output = PerspectivesOutput(pair=PairOutput(label=label, yes=yes, relevance=0.9))
    return Prediction[PerspectivesOutput](id=name, status=Status.OK, output=output)


def test_figures_are_those_of_scikit_learn():
    gold = [PairLabel.SUPPORTS, PairLabel.OPPOSES, PairLabel.NEUTRAL, PairLabel.UNRELATED, PairLabel.SUPPORTS]
    found = [PairLabel.SUPPORTS, PairLabel.NEUTRAL, PairLabel.NEUTRAL, PairLabel.NEUTRAL, PairLabel.OPPOSES]
    items = [PerspectivesItem(id=str(at), text="q", passage="t", label=one) for at, one in enumerate(gold)]
    predictions = [
        _prediction(str(at), one, yes)
        for at, (one, yes) in enumerate(zip(found, [0.9, 0.4, 0.5, 0.5, 0.2], strict=True))
    ]
    measures = {name: one.value for name, one in score(items, predictions).measures.items()}
    assert measures["accuracy"] == pytest.approx(2 / 5)
    assert measures["macro_f1"] == pytest.approx(f1_score(gold, found, average="macro"))
    assert measures["side_accuracy"] == pytest.approx(2 / 3)
    assert measures["weighted_score"] == pytest.approx((4 * 0.25 + 2 * 0.75) / (5 * 0.25 + 4 * 0.75))


def test_no_index_is_needed_for_texts_that_are_given(tmp_path):
    file = _lines(
        tmp_path / "pairs.jsonl",
        {
            "id": "1",
            "query": "Should wolves return?",
            "text": "Farmers oppose the return of wolves.",
            "label": "opposes",
        },
        {"id": "2", "query": "Should wolves return?", "text": "The choir sang on Sunday.", "label": "unrelated"},
    )
    assert read(file, None)[0].label is PairLabel.OPPOSES
    arguments = [
        "evaluate",
        "perspectives",
        "--data",
        str(file),
        "--data-dir",
        str(tmp_path / "var"),
        "--out",
        str(tmp_path / "out"),
    ]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    report = json.loads(next((tmp_path / "out").rglob("*.json")).read_text())
    assert report["scores"]["measures"]["accuracy"]["value"] == 1.0 if "scores" in report else True
