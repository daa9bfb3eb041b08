import json
from pathlib import Path

import pytest
import sacrebleu
from rouge_score import rouge_scorer

from core.errors import ConfigError, InputError
from core.settings import Settings
from evaluation.data.formats.squad import read_answers, read_no_answer, read_squad
from evaluation.measures.text.bleu import corpus_bleu, sentence_bleu
from evaluation.measures.text.evidence import citation_precision, citation_recall, contains_answer
from evaluation.measures.text.no_answer_threshold import best_threshold
from evaluation.measures.text.rouge import rouge
from evaluation.measures.text.squad import exact_match, token_f1
from evaluation.tasks.reader.run import ReaderOptions, evaluate_reader

DATA = Path(__file__).parent.parent / "data"
# What the official evaluate-v2.0.py gives for the files in data/, as shares.
OFFICIAL = {"exact": 0.5, "f1": 0.7083333333333333, "best_exact": (0.5, 0.2), "best_f1": (0.7083333333333333, 0.3)}


def test_squad_scores_equal_the_official_scripts():
    questions = read_squad(DATA / "squad.json")
    answers = read_answers(DATA / "squad_predictions.json")
    no_answer = read_no_answer(DATA / "squad_no_answer.json")
    exact = [exact_match(one.answers, answers[one.id]) for one in questions]
    f1 = [token_f1(one.answers, answers[one.id]) for one in questions]
    assert sum(exact) / len(exact) == pytest.approx(OFFICIAL["exact"])
    assert sum(f1) / len(f1) == pytest.approx(OFFICIAL["f1"])
    has = [bool(one.answers) for one in questions]
    for name, scores in (("best_exact", exact), ("best_f1", f1)):
        best = best_threshold(
            [no_answer[one.id] for one in questions],
            scores,
            has_answer=has,
            answered=[bool(answers[one.id]) for one in questions],
        )
        assert (best.score, best.threshold) == pytest.approx(OFFICIAL[name])


CRAFTED = json.loads((DATA / "squad_crafted_official.json").read_text())
"""Computed by the port of the official script in transformers 4.46.3; torchmetrics gives the same over HasAns."""


def test_crafted_predictions_score_as_the_official_script_scores_each():
    answers = read_answers(DATA / "squad_crafted_predictions.json")
    questions = read_squad(DATA / "squad_crafted.json")
    assert len(questions) == 21
    for one in questions:
        assert exact_match(one.answers, answers[one.id]) == CRAFTED["exact_per_question"][one.id], one.question
        assert token_f1(one.answers, answers[one.id]) == pytest.approx(CRAFTED["f1_per_question"][one.id]), one.question


@pytest.mark.parametrize("scores", [[-5.0, -2.0], [-5.0, 2.0], [0.0, 0.4], [0.3, 0.4]])
def test_the_best_threshold_gives_the_best_score(scores):
    best = best_threshold(scores, [0.0, 0.0], has_answer=[False, False], answered=[True, True])
    assert best.score == 1.0
    assert best.threshold == 0.0 if min(scores) >= 0 else best.threshold < min(scores)  # 0 as the script has it


@pytest.mark.parametrize("threshold", [1, 0.5])
def test_a_reader_run_gives_every_figure_of_the_official_script(tmp_path, threshold):
    options = ReaderOptions(
        predictions=DATA / "squad_crafted_predictions.json",
        no_answer=DATA / "squad_crafted_no_answer.json",
        threshold=threshold,
    )
    _, report = evaluate_reader(DATA / "squad_crafted.json", Settings(data_dir=tmp_path), options)
    official = CRAFTED[f"threshold_{threshold}"]
    ours = {
        "exact": "exact_match",
        "f1": "f1",
        "HasAns_exact": "has_answer_exact_match",
        "HasAns_f1": "has_answer_f1",
        "NoAns_exact": "no_answer_accuracy",
        "NoAns_f1": "no_answer_accuracy",
        "best_exact": "best_exact_match",
        "best_f1": "best_f1",
    }
    for theirs, name in ours.items():
        assert 100 * report.measures[name].value == pytest.approx(official[theirs]), name
    assert report.measures["best_exact_match_threshold"].value == official["best_exact_thresh"]
    assert report.measures["best_f1_threshold"].value == official["best_f1_thresh"]
    assert report.measures["f1"].n == official["total"]


def test_a_no_answer_probability_that_is_no_number_is_named(tmp_path):
    file = tmp_path / "na.json"
    file.write_text('{"1": 0.5, "2": NaN}')
    with pytest.raises(InputError, match="the number of question 2 is nan"):
        read_no_answer(file)


def test_a_best_threshold_needs_numbers_to_choose_by(tmp_path):
    options = ReaderOptions(predictions=DATA / "squad_crafted_predictions.json")
    _, report = evaluate_reader(DATA / "squad_crafted.json", Settings(data_dir=tmp_path), options)
    assert not [name for name in report.measures if name.startswith("best_")]


def test_a_reader_of_another_kind_is_told_what_to_do(tmp_path):
    with pytest.raises(ConfigError) as caught:
        evaluate_reader(DATA / "squad.json", Settings(data_dir=tmp_path, reader="transformers"), ReaderOptions())
    assert "--predictions" in caught.value.hint


def test_changed_predictions_are_another_run(tmp_path):
    file = tmp_path / "predictions.json"
    runs = set()
    for answer in ("Brazil", "Peru"):
        file.write_text(json.dumps({"q2": answer}))
        _, report = evaluate_reader(DATA / "squad.json", Settings(data_dir=tmp_path), ReaderOptions(predictions=file))
        runs.add(report.run.run_id)
        assert (report.failed, report.measures["exact_match"].n) == (7, 1)
    assert len(runs) == 2


def test_articles_punctuation_and_capitals_do_not_matter():
    assert exact_match(["The Red-Flag!"], "redflag") == 1.0
    assert exact_match([], "") == 1.0
    assert exact_match([], "x") == 0.0


def test_bleu_is_sacrebleus():
    answers = ["the cat sat on the mat today", "no"]
    references = [["the cat sat on the mat", "a cat was there"], ["yes it is"]]
    outside = sacrebleu.corpus_bleu(answers, [["the cat sat on the mat", "yes it is"], ["a cat was there", None]])
    ours = corpus_bleu(answers, references)
    assert ours.value == pytest.approx(outside.score)
    assert ours.low <= ours.value <= ours.high
    assert corpus_bleu(answers, references) == ours
    assert corpus_bleu(answers[:1], references[:1]).low is None
    assert sentence_bleu("the cat sat on the mat", ["the cat sat on the mat"]) == pytest.approx(100.0)
    assert sentence_bleu("", ["x"]) == 0.0


def test_the_interval_of_bleu_ends_where_bleu_does():
    found = corpus_bleu(["the cat sat on the mat", "x", "y"], [["the cat sat on the mat"], ["b", "c"], ["q"]])
    assert 0.0 <= found.low <= found.value <= found.high <= 100.0


def test_rouge_reads_latin_letters_alone():
    assert rouge("Привет мир", ["Привет мир"])["rougeL"] == 0.0


def test_rouge_is_the_best_over_the_references():
    scorer = rouge_scorer.RougeScorer(["rougeL"])
    outside = max(scorer.score(gold, "red flag outside")["rougeL"].fmeasure for gold in ("a red flag", "blue"))
    assert rouge("red flag outside", ["a red flag", "blue"])["rougeL"] == pytest.approx(outside)


def test_an_answer_is_found_by_whole_words_only():
    assert contains_answer(["It cost 810 dollars."], ["81"]) == 0.0
    assert contains_answer(["while 81 had died"], ["81"]) == 1.0
    assert contains_answer([], ["81"]) == 0.0
    assert contains_answer(["anything"], ["..."]) == 0.0


def test_citations():
    assert citation_precision(["a", "b", "a"], ["a"]) == 0.5
    assert citation_precision([], ["a"]) is None
    assert citation_recall([], ["a", "b"]) == 0.0
    assert citation_recall(["a"], []) is None


def test_the_files_of_the_official_script_are_what_they_say():
    assert len(json.loads((DATA / "squad_predictions.json").read_text())) == 8
