import numpy as np
import pytest
from scipy import stats

from evaluation.measures.stats.bootstrap import MANY, mean_with_interval, statistic_with_interval
from evaluation.measures.stats.clustered import clustered_mean, clustered_statistic
from evaluation.measures.stats.permutation import paired_permutation
from evaluation.measures.verdict.calibration import expected_calibration_error
from evaluation.runs.repeats import _average, _student


def test_bootstrap_interval_agrees_with_scipy():
    values = np.random.default_rng(3).beta(2, 5, 80)
    outside = stats.bootstrap((values,), np.mean, n_resamples=5000, method="percentile", random_state=0)
    ours = mean_with_interval(values)
    assert ours.value == pytest.approx(values.mean())
    assert ours.low == pytest.approx(outside.confidence_interval.low, abs=0.006)
    assert ours.high == pytest.approx(outside.confidence_interval.high, abs=0.006)


def test_interval_is_the_same_every_time():
    assert mean_with_interval([0.0, 1.0, 1.0]) == mean_with_interval([0.0, 1.0, 1.0])


def test_many_items_get_nearly_the_bootstrap_interval():
    values = np.random.default_rng(4).random(MANY)
    few = mean_with_interval(values[:-1])
    many = mean_with_interval(values)
    assert many.low == pytest.approx(few.low, abs=0.002)
    assert many.high == pytest.approx(few.high, abs=0.002)


def test_no_items_have_no_value_and_one_item_has_no_interval():
    assert mean_with_interval([]).value is None
    one = mean_with_interval([0.4])
    assert (one.value, one.low, one.n) == (0.4, None, 1)
    assert statistic_with_interval(0, lambda picks: 1.0).value is None


@pytest.mark.parametrize("count", [8, 60])
def test_p_value_agrees_with_scipy(count):
    generator = np.random.default_rng(count)
    first, second = generator.random(count), generator.random(count) + 0.12
    outside = stats.permutation_test(
        (second, first), lambda a, b, axis=0: np.mean(a - b, axis=axis), permutation_type="samples",
        n_resamples=20_000, random_state=1,
    )  # fmt: skip
    assert paired_permutation(list(first), list(second)).p_value == pytest.approx(outside.pvalue, abs=0.012)


def test_equal_runs_differ_by_nothing():
    same = paired_permutation([0.1, 0.9], [0.1, 0.9])
    assert (same.p_value, same.better, same.worse, same.equal) == (1.0, 0, 0, 2)


def test_unpaired_samples_are_refused():
    with pytest.raises(ValueError, match="paired"):
        paired_permutation([1.0], [1.0, 2.0])


def test_items_of_one_cluster_are_drawn_together():
    values, clusters = [float(number < 10) for number in range(20) for _ in range(5)], np.repeat(range(20), 5).tolist()
    together, apart = clustered_mean(values, clusters), mean_with_interval(values)
    assert (together.value, together.n) == (apart.value, 100)
    width = np.sqrt(5) * (apart.high - apart.low)
    assert together.high - together.low == pytest.approx(width, rel=0.15)
    figure = clustered_statistic(clusters, lambda picks: float(np.mean([values[pick] for pick in picks])))
    assert (figure.value, figure.n) == (together.value, 100)
    assert figure.high - figure.low == pytest.approx(together.high - together.low, rel=0.1)


def test_a_basic_interval_undoes_the_bias_of_resampling():
    numbers = np.random.default_rng(5).random(300)

    def spread(picks):
        return float(np.bincount(picks, minlength=300).std() + 0.2 * numbers[picks].mean())  # larger when resampled

    plain, basic = (statistic_with_interval(300, spread, basic=basic) for basic in (False, True))
    assert plain.low > plain.value
    assert basic.low == 0.0  # cut
    assert basic.high < basic.value
    assert basic.high == pytest.approx(2 * plain.value - plain.low)


def test_the_interval_of_a_calibration_error_ends_at_one():
    confidence, right = np.array([0.9, 0.95, 0.99, 0.97]), np.array([False, False, True, False])
    figure = statistic_with_interval(
        4, lambda picks: expected_calibration_error(confidence[picks], right[picks]), basic=True
    )
    assert figure.value == pytest.approx(0.7025)
    assert figure.high == 1.0


@pytest.mark.parametrize("degrees", [1, 4, 9, 10, 11, 19, 30, 200])
def test_students_t_agrees_with_scipy(degrees):
    assert _student(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), abs=6e-4)


def test_a_measure_that_one_repeat_lacks_is_averaged_over_the_others():
    parts = [{"a": {"f1": 1.0, "citation_precision": 0.5}}, {"a": {"f1": 0.0}}, {"a": {"f1": 0.5, "late": 1.0}}]
    assert _average(parts) == {"a": {"f1": 0.5, "citation_precision": 0.5, "late": 1.0}}
