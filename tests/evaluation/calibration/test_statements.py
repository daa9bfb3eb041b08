"""From written statements to where an article stands, on a small made set."""

import json
import shutil

import numpy as np
import pytest

from core.paths import MODELS
from core.settings import Settings
from evaluation.calibration import statements as statement_fit
from evaluation.calibration.statement_corpus import build
from evaluation.calibration.statement_readings import ReadArticle, ReadStatement
from evaluation.calibration.statement_thresholds import Bars, Stand, choose, scores
from evaluation.calibration.statements import fit_statements
from evaluation.calibration.store import store_fit
from evaluation.data.formats.claims import read_claims
from evaluation.data.formats.corpus import read_corpus
from evaluation.data.formats.labels import Label
from models.calibration import load_calibration
from tests.evaluation.calibration.test_answers import rows_of

SUPPORTS, REFUTES, NEITHER = Label.SUPPORTS, Label.REFUTES, Label.NEITHER


def row(number, split="dev"):
    return {
        "id": f"p{number}",
        "passage": f"The bridge at Town{number} was opened in May by the mayor.",
        "mirror": f"The bridge at Town{number} was opened in May by the governor.",
        "statements": [
            {"text": f"The mayor opened the bridge at Town{number}.", "label": "supports", "mirror_label": "refutes"},
            {
                "text": f"The governor opened the bridge at Town{number}.",
                "label": "refutes",
                "mirror_label": "supports",
            },
            {"text": f"The bridge at Town{number} was costly.", "label": "neutral"},
        ],
        "split": split,
        "source": f"made: a{number}",
    }


@pytest.fixture
def packs(tmp_path):
    rows = [row(number) for number in range(8)] + [row(9, "train")]
    pairs = rows_of(tmp_path / "pairs.jsonl.gz", rows)
    titles = rows_of(
        tmp_path / "articles.jsonl.gz", [{"id": f"a{n}", "title": f"Bridge {n}", "body": ""} for n in range(8)]
    )
    return pairs, titles


def test_half_of_the_passages_are_replaced_by_their_mirrors(packs, tmp_path):
    build([packs[0]], packs[1], tmp_path / "out")
    articles = {one.id: one for one in read_corpus(tmp_path / "out" / "articles.jsonl")}
    claims = read_claims(tmp_path / "out" / "claims.jsonl")
    assert len(articles) == 9
    mirrored = {name for name, article in articles.items() if "governor" in article.body}
    assert len(mirrored) == 4
    for claim in claims:
        name = claim.id.rsplit("-", 1)[0]
        stated = "governor" if "governor" in claim.text else "mayor" if "mayor" in claim.text else ""
        true = SUPPORTS if (stated == "governor") == (name in mirrored) else REFUTES
        assert claim.label is (true if stated else NEITHER)
    assert len(claims) == 4 * 3 + 4 * 2  # nobody knows what is neither under a mirror
    assert {article.headline for article in articles.values()} >= {"Bridge 1", "a9"}


def made_statements(count=600):
    """Draw statements of which an own article says what it should; another one, found later, seems to deny some."""
    chance = np.random.default_rng(3)
    made = []
    for number in range(count):
        label = [SUPPORTS, REFUTES, NEITHER][number % 3]
        high, low = chance.uniform(0.6, 0.99), chance.uniform(0.0, 0.01)
        supports, refutes = {SUPPORTS: (high, low), REFUTES: (low, high), NEITHER: (low, low)}[label]
        denies = chance.uniform(0.6, 0.99) if number % 2 else low
        articles = (
            ReadArticle(own=True, conflicts=("name",) * (label is REFUTES), supports=supports, refutes=refutes, rank=0),
            ReadArticle(own=False, conflicts=(), supports=low, refutes=denies, rank=3),
        )
        made.append(
            ReadStatement(id=f"s{number}", about=(f"g{number // 4}",), label=label, kind="made", articles=articles)
        )
    return made


def test_fit_tells_apart_what_is_apart():
    bars = fit_statements(made_statements(), model="made@1", packs=["made/pairs"])
    assert (bars.verified_from, bars.refuted_from, bars.bare_refuted_from) == (0.5, 0.5, 0.5)
    assert bars.refuted(supports=0.01, refutes=0.9, rank=0) > 0.9
    assert bars.refuted(supports=0.01, refutes=0.9, rank=3) < 0.1
    assert bars.scores["made_accuracy"] == 1.0
    assert "600 statements" in bars.fitted_on


def test_statements_that_share_an_article_are_in_one_fold(monkeypatch):
    chosen_on = []
    monkeypatch.setattr(statement_fit, "choose", lambda stands: chosen_on.append(len(stands)) or choose(stands))
    made = [one.model_copy(update={"about": about}) for one, about in zip(made_statements(2), ("ab", "b"), strict=True)]
    fit_statements(made, model="made@1", packs=["made/pairs"])
    assert chosen_on == [0, 2]  # neither has a say in the other's thresholds; then those that are kept


def stand(label, supports=0.0, refutes=0.0, *, sure=0.0, bare=0.0, kind="made"):
    return Stand(label=label, kind=kind, supports=supports, sure_refutes=sure, refutes=refutes, bare_refutes=bare)


def test_thresholds_are_the_lowest_that_keep_the_promises():
    true = [stand(SUPPORTS, 0.9, refutes=at / 100, sure=at / 200, bare=at / 100) for at in range(100)]
    false = [stand(REFUTES, supports=at / 100, refutes=0.995, bare=0.995) for at in range(100)]
    bars = choose(true + false)
    assert (bars.verified_from, bars.refuted_from, bars.bare_refuted_from) == (0.85, 0.98, 0.99)
    assert bars.sure_refuted_from == 0.5
    other = [stand(SUPPORTS, refutes=0.985, kind="other")] * 3  # few, and the promise holds for them, too
    assert choose(true + false + other).refuted_from == 0.99
    believed = [stand(REFUTES, 0.955, kind="other")] * 3
    assert choose(true + false + believed).verified_from == 0.96
    assert choose([stand(SUPPORTS, bare=0.995)] * 9).bare_refuted_from is None
    opened = [stand(NEITHER, refutes=at / 100) for at in range(100)]
    assert choose(true + false + opened).refuted_from == 0.98
    assert choose(false + opened + [stand(NEITHER, refutes=0.985)]).refuted_from == 0.99
    assert choose([stand(REFUTES, supports=0.1)] * 9).verified_from == 0.5


@pytest.mark.parametrize(
    ("one", "verdict"),
    [
        (stand(SUPPORTS, 0.8), Label.SUPPORTS),
        (stand(SUPPORTS, 0.7), Label.NEITHER),
        (stand(SUPPORTS, 0.1, refutes=0.7), Label.REFUTES),
        (stand(SUPPORTS, 0.1, sure=0.5), Label.NEITHER),
        (stand(SUPPORTS, 0.1, sure=0.56), Label.REFUTES),
        (stand(SUPPORTS, 0.1, bare=0.7), Label.NEITHER),
        (stand(SUPPORTS, 0.1, bare=0.95), Label.REFUTES),
        (stand(SUPPORTS, 0.8, refutes=0.8), Label.CONFLICTING),
    ],
)
def test_bars_rule_as_the_product_does(one, verdict):
    assert Bars(0.75, 0.6, 0.55, 0.9).verdict(one) is verdict
    assert Bars(0.75, 0.6, 0.55, None).verdict(stand(SUPPORTS, bare=1.0)) is Label.NEITHER


def test_scores_count_the_worst_errors():
    stands = [stand(SUPPORTS), stand(SUPPORTS), stand(REFUTES), stand(REFUTES), stand(NEITHER, kind="other")]
    found = scores(stands, [SUPPORTS, REFUTES, SUPPORTS, REFUTES, NEITHER])
    assert (found["made_accuracy"], found["other_accuracy"], found["made_statements"]) == (0.5, 1.0, 4.0)
    assert (found["made_supports_called_refutes"], found["made_refutes_called_supports"]) == (0.5, 0.5)


def test_command_writes_statement_weights_and_leaves_the_rest(packs, tmp_path, monkeypatch):
    data = tmp_path / "datasets"
    made = [{"id": "c1", "text": "The mayor opened it.", "label": "supports", "article_ids": ["a"], "split": "dev"}]
    for name, file in (("sample", "queries.jsonl"), ("sample", "retold.jsonl"), ("checklist", "claims.jsonl")):
        (data / name).mkdir(parents=True, exist_ok=True)
        (data / name / file).write_text("".join(json.dumps(one) + "\n" for one in made))
        article = {
            "id": "a",
            "url": "https://example.org/a",
            "headline": "Bridge",
            "body": "The mayor opened it in May.",
        }
        (data / name / "articles.jsonl").write_text(json.dumps(article) + "\n")
    monkeypatch.setattr(statement_fit, "DATASETS", data)
    monkeypatch.setattr(statement_fit, "SAMPLE", data / "sample")
    model = tmp_path / "made-model"
    model.mkdir()
    for name in ("model.onnx", "tokenizer.json", "calibration.json"):
        shutil.copy(MODELS / "evidence-minilm-l6" / name, model / name)
    before = load_calibration(model)
    command = [
        "--pairs",
        str(packs[0]),
        "--articles",
        str(packs[1]),
        "--work",
        str(tmp_path / "w"),
        "--model",
        str(model),
    ]
    statement_fit.main(command)
    after = load_calibration(model)
    assert (after.answer, after.relation) == (before.answer, before.relation)
    assert after.statement.scores["written_statements"] == 20
    kept = next((tmp_path / "w").glob("statements-written-*.jsonl"))
    lines = kept.read_text().splitlines()
    statement_fit.main(command)  # what was read is not read again
    assert kept.read_text().splitlines() == lines
    assert load_calibration(model) == after


def test_readings_of_other_relations_data_or_code_are_not_taken(packs, tmp_path, monkeypatch):
    kept = []
    monkeypatch.setattr(
        statement_fit, "read_statements", lambda file, settings, path, **options: kept.append(path) or []
    )
    model = tmp_path / "made-model"
    model.mkdir()
    for name in ("model.onnx", "tokenizer.json", "calibration.json"):
        shutil.copy(MODELS / "evidence-minilm-l6" / name, model / name)
    settings = Settings(data_dir=tmp_path / "w", reader_model=str(model))

    def names():
        kept.clear()
        statement_fit.read_all([packs[0]], packs[1], tmp_path / "w", settings, model="made@1")
        return set(kept)

    first = names()
    assert len(first) == 4
    found = load_calibration(model)
    store_fit(model, found.statement.model_copy(update={"verified_from": 0.99}))  # has no say in what is read
    assert names() == first
    store_fit(model, found.relation.model_copy(update={"scale": found.relation.scale + 1}))
    refitted = names()
    assert not refitted & first
    rows_of(packs[0], [row(number) for number in range(7)])
    assert len(names() & refitted) == 3, "of the statements, only the written ones are others"
    monkeypatch.setattr("evaluation.calibration.readings_cache.hash_code", lambda: "other")
    assert not names() & refitted
