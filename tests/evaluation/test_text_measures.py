import json
from pathlib import Path

import pytest
import sacrebleu
from rouge_score import rouge_scorer

from core.errors import ConfigError
from evaluation.formats.squad import read_answers, read_no_answer, read_squad
from evaluation.measures.text.bertscore import BertScorer
from evaluation.measures.text.bleu import corpus_bleu, sentence_bleu
from evaluation.measures.text.evidence import citation_precision, citation_recall, contains_answer
from evaluation.measures.text.no_answer_threshold import best_threshold
from evaluation.measures.text.rouge import rouge
from evaluation.measures.text.squad import exact_match, token_f1

DATA = Path(__file__).parent / "data"
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


def test_articles_punctuation_and_capitals_do_not_matter():
    assert exact_match(["The Red-Flag!"], "redflag") == 1.0
    assert exact_match([], "") == 1.0
    assert exact_match([], "x") == 0.0


def test_bleu_is_sacrebleus():
    answers = ["the cat sat on the mat today", "no"]
    references = [["the cat sat on the mat", "a cat was there"], ["yes it is"]]
    outside = sacrebleu.corpus_bleu(answers, [["the cat sat on the mat", "yes it is"], ["a cat was there", None]])
    assert corpus_bleu(answers, references) == pytest.approx(outside.score)
    assert sentence_bleu("the cat sat on the mat", ["the cat sat on the mat"]) == pytest.approx(100.0)
    assert sentence_bleu("", ["x"]) == 0.0


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


def test_blank_answers_score_zero_without_asking_bertscore():
    assert BertScorer("no-such-model").score(["", "  "], [["x"], ["y"]]) == [0.0, 0.0]


def test_bertscore_names_its_extra_when_it_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "bert_score", None)
    with pytest.raises(ConfigError) as caught:
        BertScorer("x").score(["a"], [["b"]])
    assert "looksy[rag]" in caught.value.hint


def test_the_files_of_the_official_script_are_what_they_say():
    assert len(json.loads((DATA / "squad_predictions.json").read_text())) == 8
