import numpy as np
import pytest
from scipy import stats

from evaluation.stats.bootstrap import MANY, mean_with_interval, statistic_with_interval
from evaluation.stats.permutation import paired_permutation


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
