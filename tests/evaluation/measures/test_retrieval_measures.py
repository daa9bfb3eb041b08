import random
import subprocess
import sys
from dataclasses import replace

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.measures.retrieval import ALL
from evaluation.measures.retrieval.mean_precision import mean_precision
from evaluation.measures.retrieval.score import order, score_rankings

TREC_EVAL_NAMES = {
    "MRR": "recip_rank",
    "MAP": "map",
    "MAP@5": "map_cut_5",
    "nDCG@1": "ndcg_cut_1",
    "nDCG@10": "ndcg_cut_10",
    "P@1": "P_1",
    "P@5": "P_5",
    "P@10": "P_10",
    "R@5": "recall_5",
    "R@100": "recall_100",
    "success@1": "success_1",
    "success@10": "success_10",
}


def random_data(seed, *, queries=40, documents=30, ties=False):
    generator = random.Random(seed)
    names = [f"d{number}" for number in range(documents)]
    qrels = {
        f"q{number}": {name: generator.choice([0, 0, 1, 2, 3]) for name in generator.sample(names, 12)}
        for number in range(queries)
    }
    run = {
        query: {
            name: float(generator.randint(0, 3)) if ties else generator.random() for name in generator.sample(names, 20)
        }
        for query in qrels
    }
    return qrels, run


@pytest.mark.parametrize("ties", [False, True])
def test_values_equal_those_of_trec_eval(ties):
    qrels, run = random_data(1, ties=ties)
    outside = pytrec_eval.RelevanceEvaluator(
        qrels, {"recip_rank", "map", "map_cut.5", "ndcg_cut.1,10", "P.1,5,10", "recall.5,100", "success.1,10"}
    ).evaluate(run)
    ours = dict(score_rankings(qrels, run.items()))
    for query, values in ours.items():
        for name, theirs in TREC_EVAL_NAMES.items():
            assert values[name] == pytest.approx(outside[query][theirs]), (query, name)


def test_mean_precision_is_the_mean_of_precision_at_one_to_ten():
    # By hand: relevant at ranks 1 and 3, six results. P@k = 1, 1/2, 2/3, 2/4, 2/5, 2/6, 2/7, 2/8, 2/9, 2/10.
    by_hand = (1 + 1 / 2 + 2 / 3 + 2 / 4 + 2 / 5 + 2 / 6 + 2 / 7 + 2 / 8 + 2 / 9 + 2 / 10) / 10
    assert mean_precision([2, 0, 1, 0, 0, 0]) == pytest.approx(by_hand)
    assert mean_precision([]) == 0.0


def test_missing_and_empty_queries_score_the_default_and_count():
    qrels = {"found": {"a": 1}, "missing": {"a": 1}, "empty": {"a": 1}}
    values = dict(score_rankings(qrels, [("found", {"a": 1.0}), ("empty", {}), ("unjudged", {"a": 1.0})]))
    assert set(values) == {"found", "missing", "empty"}
    assert values["found"]["MRR"] == 1.0
    assert set(values["missing"].values()) == {0.0}
    assert set(values["empty"].values()) == {0.0}


def test_unjudged_documents_push_relevant_ones_down():
    values = dict(score_rankings({"q": {"a": 1}}, [("q", {"x": 3.0, "y": 2.0, "a": 1.0})]))
    assert values["q"]["MRR"] == pytest.approx(1 / 3)


def test_ties_are_broken_by_falling_document_id():
    assert order({"a": 1.0, "c": 1.0, "b": 2.0}) == ["b", "c", "a"]
    values = dict(score_rankings({"q": {"a": 1}}, [("q", {"a": 1.0, "c": 1.0})]))
    assert values["q"]["MRR"] == 0.5


@pytest.mark.parametrize("scores", [(1.0, 1.0 + 1e-9), (1e300, 1e299), (0.876543214, 0.876543213)])
def test_scores_that_single_precision_cannot_tell_apart_are_ties_in_every_measure(scores):
    ranking = ("q", {"a": max(scores), "b": min(scores)})
    measures = {measure.name: measure for measure in ALL}
    wanted = [
        measures["mean_precision@10"],
        *(replace(measures["P@1"], name=f"{k}", expression=f"P@{k}") for k in range(1, 11)),
    ]
    values = dict(score_rankings({"q": {"a": 1}}, [ranking], measures=wanted))["q"]
    assert values["mean_precision@10"] == pytest.approx(sum(values[f"{k}"] for k in range(1, 11)) / 10)
    assert values["1"] == 0.0  # as trec_eval has it: b before a


@settings(max_examples=40)
@given(
    st.dictionaries(
        st.sampled_from([f"d{n}" for n in range(12)]), st.floats(-5, 5, allow_nan=False), min_size=0, max_size=12
    ),
    st.dictionaries(st.sampled_from([f"d{n}" for n in range(12)]), st.integers(0, 3), min_size=1, max_size=12),
)
def test_values_stay_in_range_and_success_bounds_mrr(scores, grades):
    values = dict(score_rankings({"q": grades}, [("q", scores)]))["q"]
    assert set(values) == {measure.name for measure in ALL}
    assert all(0.0 <= value <= 1.0 + 1e-9 for value in values.values())
    assert values["success@1"] == float(values["MRR"] == 1.0)
    assert values["R@5"] <= values["R@10"] <= values["R@100"]


SCORE_LARGE = """
import resource, sys, time
from pathlib import Path
from evaluation.data.formats.trec_run import read_run
from evaluation.measures.retrieval.score import score_rankings
qrels = {f"q{n}": {f"d{n}-3": 1, f"d{n}-99": 1} for n in range(int(sys.argv[2]))}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
started = time.process_time()
total = sum(values["MRR"] for _, values in score_rankings(qrels, read_run(Path(sys.argv[1]))))
seconds = time.process_time() - started
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(total, (after - before) / 1024, seconds)
"""


SCORE_BY_LIBRARY = """
import sys, time
import ir_measures
from evaluation.measures.retrieval import ALL
qrels = {f"q{n}": {f"d{n}-3": 1, f"d{n}-99": 1} for n in range(int(sys.argv[2]))}
measures = [ir_measures.parse_measure(measure.expression) for measure in ALL if measure.expression]
started, run = time.process_time(), {}
for row in ir_measures.read_trec_run(sys.argv[1]):
    run.setdefault(row.query_id, {})[row.doc_id] = row.score
list(ir_measures.iter_calc(measures, qrels, run))
print(time.process_time() - started)
"""


def write_run(file, queries):
    with file.open("w") as handle:
        for query in range(queries):
            handle.writelines(f"q{query} Q0 d{query}-{rank} {rank} {10 - rank} t\n" for rank in range(1, 11))
    return str(file)


def run_program(program, *arguments):
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.slow
def test_a_run_file_of_100_000_queries_is_scored_fast_in_little_memory(tmp_path):
    queries, fewer = 100_000, 20_000
    run, small = write_run(tmp_path / "run.txt", queries), write_run(tmp_path / "small.txt", fewer)
    total, grown_mib, seconds = map(float, run_program(SCORE_LARGE, run, queries))
    library_seconds = float(run_program(SCORE_BY_LIBRARY, small, fewer)[0]) * queries / fewer
    assert total == pytest.approx(queries / 3)
    assert seconds < 2 * library_seconds  # ir-measures alone, all in memory, on the same machine
    assert grown_mib < 150  # the set of query names seen; the file has 1,000,000 lines
