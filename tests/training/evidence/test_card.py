import json

import pytest

from training.evidence.card import write_card
from training.measure.run import write_scores
from training.recipe import find_recipe
from training.record import BUILD, BuildRecord, Parity, Score


@pytest.fixture
def folder(tmp_path):
    record = BuildRecord(
        recipe=find_recipe("evidence"),
        steps=77,
        minutes=5,
        device="cpu",
        bfloat16=True,
        torch="2.13",
        started_from="ab" * 32,
        parity=Parity(rows=100, fp32=1e-5, int8=0.01, int8_agrees=0.97),
        validation={"both right": 0.5},
    )
    (tmp_path / BUILD).write_text(record.model_dump_json())
    (tmp_path / "SHA256SUMS").write_text("0" * 64 + "  model.onnx\n")
    return tmp_path


def test_card_lists_every_pack_with_its_licence_once(folder):
    text = write_card(folder).read_text()
    rows = [line for line in text.splitlines() if line.startswith("| MultiNLI")]
    assert sorted(row.split(" | ")[1] for row in rows) == ["statements", "swaps"]
    assert "OANC terms" in text
    assert "CC BY-SA 4.0" in text
    assert "77 steps" in text
    assert "abababab" in text
    assert "not measured yet" in text
    assert all(limit in text for limit in find_recipe("evidence").limits)


@pytest.mark.parametrize(("recipe", "stated"), [("entailment", False), ("evidence", True)])
def test_card_states_the_dropout_of_a_recipe_that_has_one(folder, recipe, stated):
    record = json.loads((folder / BUILD).read_text())
    (folder / BUILD).write_text(json.dumps(record | {"recipe": find_recipe(recipe).model_dump(mode="json")}))
    assert ("cosine to nearly zero, dropout 0.1, bfloat16" in write_card(folder).read_text()) is stated


def test_scores_are_written_into_the_card(folder):
    write_scores([Score(what="order", value=0.8, low=0.7, high=0.9, n=20), Score(what="none", value=None, n=0)], folder)
    text = (folder / "CARD.md").read_text()
    assert "| order | 0.800 | 0.700 to 0.900 | 20 |" in text
    assert "| none | - | - | 0 |" in text
    assert json.loads((folder / "scores.json").read_text())[0]["n"] == 20


def test_scores_of_a_folder_that_was_not_built_leave_its_card_alone(tmp_path):
    (tmp_path / "CARD.md").write_text("by hand")
    write_scores([Score(what="order", value=0.8, n=20)], tmp_path)
    assert (tmp_path / "CARD.md").read_text() == "by hand"
