from itertools import islice, pairwise

import pytest

from core.errors import ConfigError, NotFoundError
from training.evidence.encode import UNKNOWN, Row
from training.evidence.lr_schedule import rate_at
from training.evidence.sampler import Place, Stream
from training.recipe import Schedule, find_recipe, recipe_names


def row(length, mark):
    return Row([mark] * length, 1, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)


def make(seed=1):
    pairs = [(row(10 + number, number), row(12 + number, number)) for number in range(20)]
    singles = [(row(5 + number % 3, 100 + number),) for number in range(7)]
    return Stream({"pairs": pairs, "singles": singles}, {"pairs": 8, "singles": 4}, tokens=100, seed=seed)


def batches(stream, count, place=Place()):  # noqa: B008 - frozen
    return list(islice(stream.batches(place), count))


def test_batches_stay_within_their_tokens_and_groups_together():
    for groups, _ in batches(make(), 60):
        rows = [one for group in groups for one in group]
        assert len(groups) == 1 or len(rows) * max(map(len, rows)) <= 100
        for group in groups:
            assert len({one.token_ids[0] for one in group}) == 1


def test_the_same_seed_gives_the_same_stream_and_another_another():
    assert batches(make(), 30) == batches(make(), 30)
    assert batches(make(), 30) != batches(make(seed=2), 30)


def test_going_on_from_a_place_gives_what_would_have_followed():
    whole = batches(make(), 40)
    for stop in (1, 7, 23):
        assert batches(make(), 40 - stop, whole[stop - 1][1]) == whole[stop:]


def test_every_group_comes_once_in_a_pass():
    # five rounds of eight are two passes over twenty pairs
    drawn = [groups for groups, place in batches(make(), 200) if place <= Place(5, 0)]
    marks = [group[0].token_ids[0] for groups in drawn for group in groups if len(group) == 2]
    assert sorted(marks) == sorted(list(range(20)) * 2)


def test_rate_rises_stays_and_falls():
    schedule = Schedule(peak=1.0, warmup=4, stable=10, cooling=10, floor=0.1)
    rates = [rate_at(step, schedule) for step in range(25)]
    assert rates[:4] == [0.25, 0.5, 0.75, 1.0]
    assert rates[4:11] == [1.0] * 7
    assert all(earlier > later for earlier, later in pairwise(rates[10:21]))
    assert rates[20] == rates[24] == pytest.approx(0.1)


def test_shipped_recipes_can_be_read():
    assert {"evidence-minilm-l6", "all-minilm-l6-v2"} <= set(recipe_names())
    assert [find_recipe(name).name for name in recipe_names()] == recipe_names()
    assert find_recipe("evid").name == "evidence-minilm-l6"


def test_unknown_and_broken_recipes_are_errors(tmp_path):
    with pytest.raises(NotFoundError, match="no recipes begin with 'zzz'"):
        find_recipe("zzz")
    broken = tmp_path / "broken.yaml"
    broken.write_text("name: x\nseed: no\n")
    with pytest.raises(ConfigError, match="seed"):
        find_recipe(str(broken))
