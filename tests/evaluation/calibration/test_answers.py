"""The whole way from written packs to a calibration, on a small made set."""

import gzip
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from core.paths import MODELS
from core.settings import Settings
from evaluation.calibration import answers as answer_fit
from evaluation.calibration.answer_readings import ReadPiece, ReadQuestion
from evaluation.calibration.crossfit import _folds, cross_fit, held_out_scores
from evaluation.calibration.examples import Example, is_right, make_examples
from evaluation.calibration.logistic import question_weights
from evaluation.calibration.pairs import build
from evaluation.calibration.thresholds import BestAnswer, choose_thresholds, falsely_verified, precision
from evaluation.data.formats.questions import QueryRow, read_queries
from models.calibration import load_calibration
from models.evidence import EvidenceModel
from pipelines.reading.answer_features import FEATURES

TOWNS = ["Aldham", "Brockley", "Corfe", "Dunster", "Elmsett", "Farnham", "Gosford", "Hadleigh", "Ickworth", "Kelham"]


def rows_of(path, rows):
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def passage(number, split):
    town = TOWNS[number % len(TOWNS)]
    return {
        "id": f"p{number}",
        "passage": f"The bridge at {town} cost {number + 3} million pounds. It was opened in May by the mayor.",
        "questions": [{"question": f"What did the bridge at {town} cost?", "answer": f"{number + 3} million pounds"}],
        "unanswerable": [f"Who designed the bridge at {town}?"],
        "split": split,
        "source": f"made: a{number}",
    }


@pytest.fixture
def packs(tmp_path):
    passages = [passage(number, "dev" if number < 6 else "train") for number in range(10)]
    pairs = rows_of(tmp_path / "pairs.jsonl.gz", passages)
    articles = rows_of(
        tmp_path / "articles.jsonl.gz",
        [{"id": f"a{n}", "title": f"Bridge at {TOWNS[n]}", "body": passages[n]["passage"]} for n in range(10)],
    )
    return pairs, articles


def made_sample(folder):
    """Write a sample in miniature: two questions of its development half, one of its test half."""
    folder.mkdir()
    article = {
        "id": "s",
        "url": "https://example.org/s",
        "headline": "Ferry sinks",
        "body": "The ferry sank on Monday.",
    }
    rows_of(folder / "articles.jsonl.gz", [article])
    rows = [
        {"id": f"q{n}", "kind": "question", "text": "When did the ferry sink?", "answers": ["Monday"], "split": split}
        for n, split in enumerate(("dev", "dev", "test"))
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def made_examples(count=60):
    chance = np.random.default_rng(3)
    examples = []
    for number in range(count):
        kind = ("answered", "near", "absent", "free")[number % 4]
        right = np.zeros(5, dtype=bool)
        right[2] = kind in {"answered", "free"}
        features = chance.normal(size=(5, len(FEATURES)))
        features[:, 0] += 4.0 * right
        examples.append(Example(kind=kind, group=f"g{number}", features=features, right=right))
    return examples


def test_kinds_of_questions_are_made_of_the_packs(packs, tmp_path, monkeypatch):
    monkeypatch.setattr("evaluation.calibration.pairs.PASSAGES", {"train": 2, "dev": 6})
    monkeypatch.setattr("evaluation.calibration.pairs.DISTRACTORS", 1)
    build([packs[0]], packs[1], tmp_path / "out")
    queries = read_queries(tmp_path / "out" / "queries.jsonl")
    kinds = {kind: [row for row in queries if row.split == kind] for kind in ("answered", "near", "absent")}
    assert (len(kinds["answered"]), len(kinds["absent"])) == (6, 1)
    assert 0 < len(kinds["near"]) < 6, "articles that stay whole have no question known to be unanswerable"
    assert all(row.answerable and row.answers for row in kinds["answered"])
    assert not any(row.answerable for row in kinds["near"] + kinds["absent"])
    corpus = (tmp_path / "out" / "articles.jsonl").read_text()
    assert kinds["absent"][0].text.removesuffix(" cost?").split()[-1] not in corpus


def test_questions_that_share_an_article_are_one_group():
    def read(name, **fields):
        row = QueryRow(id=name, kind="question", text="Who?", split="free", **fields)
        piece = ReadPiece(
            text="Anna.", headline="H", span="Anna", sentence="Anna.", span_score=1.0, relevance=0.5, rank=0
        )
        return ReadQuestion(row=row, pieces=(piece,))

    asked = [
        read("q1", article_ids=("b",), near_ids=("a",)),
        read("q2", article_ids=("a",), near_ids=("b",)),
        read("q3", article_ids=("c",)),
        read("np-1-u0"),
        read("np-1-2"),
        read("q4", article_ids=("d", "c")),
        read("q5", article_ids=("d",)),
    ]
    assert [example.group for example in make_examples(asked)] == ["a", "a", "c", "np-1", "np-1", "c", "c"]


def test_the_thresholds_of_a_part_do_not_look_at_it():
    examples = made_examples()
    folds = _folds(examples)
    turned = [
        replace(one, right=np.roll(one.right, 1)) if at == folds[0] else one
        for one, at in zip(examples, folds, strict=True)
    ]
    before, after = cross_fit(examples), cross_fit(turned)
    own = [at for at, fold in enumerate(folds) if fold == folds[0]]
    assert [before[at].thresholds for at in own] == [after[at].thresholds for at in own]
    assert [one.answer.right for one in before] != [one.answer.right for one in after]


def test_an_answer_is_right_if_its_sentence_holds_an_accepted_one_and_the_span_a_word_of_it():
    row = QueryRow(id="q", kind="question", text="?", answers=("48 million",))

    def piece(span, sentence):
        return ReadPiece(headline="", text=sentence, sentence=sentence, span=span, span_score=0, relevance=0, rank=0)

    assert is_right(row, piece("about 48", "It cost about 48 million."))
    assert not is_right(row, piece("It", "It cost about 48 million."))
    assert not is_right(row, piece("48", "It cost 48 thousand."))


def test_thresholds_keep_their_promise():
    answers = [BestAnswer("answered", p, p > 0.4, 1.0) for p in np.linspace(0.05, 0.95, 40)]
    answers += [BestAnswer("near", p, False, 0.5) for p in np.linspace(0.05, 0.75, 40)]
    chosen = choose_thresholds(answers)
    assert 0 < chosen.shown_from <= chosen.verified_from < 1
    assert precision(answers, chosen.verified_from) >= 0.8
    assert falsely_verified(answers, chosen.verified_from, kind="near") <= 0.05
    assert falsely_verified(answers, chosen.verified_from - 0.02, kind="near") > 0.05


def test_nothing_is_verified_where_nothing_keeps_the_promise():
    assert choose_thresholds([BestAnswer("near", 0.999, False, 1.0)] * 10).verified_from == 1.0


def test_kinds_count_by_their_share_not_by_their_number():
    weights = question_weights(["answered"] * 8 + ["near"] * 2)
    assert sum(weights) == pytest.approx(10)
    assert sum(weights[:8]) / sum(weights[8:]) == pytest.approx(0.45 / 0.2)


def test_cross_fitting_finds_the_feature_that_tells():
    judged = cross_fit(made_examples())
    scores = held_out_scores(judged)
    assert scores["answered_best_right"] > 0.8
    assert scores["near_verified"] <= 0.2
    assert 0 <= scores["brier"] < 0.2


def test_what_is_known_only_of_the_judged_part_does_not_help():
    """Weights of other parts judge: a label that noise alone explains is not learned."""
    chance = np.random.default_rng(5)
    examples = [
        Example("answered", f"g{n}", chance.normal(size=(4, len(FEATURES))), chance.random(4) < 0.3) for n in range(80)
    ]
    scores = held_out_scores(cross_fit(examples))
    assert scores["answered_best_right"] < 0.5


def test_command_writes_a_calibration_that_says_what_it_was_fitted_on(packs, tmp_path, monkeypatch):
    monkeypatch.setattr("evaluation.calibration.pairs.PASSAGES", {"train": 2, "dev": 6})
    monkeypatch.setattr("evaluation.calibration.pairs.DISTRACTORS", 0)
    monkeypatch.setattr(answer_fit, "SAMPLE", made_sample(tmp_path / "sample"))
    model = tmp_path / "made-model"
    model.mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copy(MODELS / "evidence-minilm-l6" / name, model / name)
    given = ["--pairs", str(packs[0]), "--articles", str(packs[1]), "--work", str(tmp_path / "work")]
    answer_fit.main([*given, "--model", str(model)])
    found = load_calibration(model)
    assert found.method == "made-model/1"
    assert found.answer.model == EvidenceModel(model).identity
    assert "6 answered" in found.answer.fitted_on
    assert "2 free" in found.answer.fitted_on
    assert found.answer.scores["questions"] > 10
    assert set(found.answer.weights) == set(FEATURES)
    assert found.relation.fitted_on == "nothing"


def test_readings_of_other_data_or_code_are_not_taken(packs, tmp_path, monkeypatch):
    monkeypatch.setattr("evaluation.calibration.pairs.PASSAGES", {"train": 2, "dev": 6})
    monkeypatch.setattr("evaluation.calibration.pairs.DISTRACTORS", 0)
    monkeypatch.setattr(answer_fit, "SAMPLE", made_sample(tmp_path / "sample"))
    kept = []
    monkeypatch.setattr(answer_fit, "_read", lambda corpus, rows, settings, path, progress: kept.append(path) or [])

    def names():
        kept.clear()
        answer_fit.read_all([packs[0]], packs[1], tmp_path / "work", Settings(data_dir=tmp_path / "work"))
        return set(kept)

    first = names()
    assert len(first) == 2
    assert names() == first
    rows_of(packs[0], [passage(number, "dev" if number < 5 else "train") for number in range(10)])
    changed = names()
    assert len(changed & first) == 1, "the sample's questions are the same"
    monkeypatch.setattr("evaluation.calibration.readings_cache.hash_code", lambda: "other")
    assert not names() & changed
