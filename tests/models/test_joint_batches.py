"""Threads that read together get one batch, each its own readings."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from models.joint_batches import JointBatches, read_jointly


class _Model:
    def __init__(self):
        self.batches = []

    @read_jointly
    def read(self, pairs):
        if ("broken", "x") in pairs:
            raise ValueError("the model is broken")
        self.batches.append(list(pairs))
        return [f"{one}/{other}" for one, other in pairs]


def _together(model, asked):
    """Let one member a list of questions ask its questions one after the other."""
    group = JointBatches(len(asked))

    def ask(number):
        with group.member(number):
            return [model.read([(f"q{number}", text) for text in texts]) for texts in asked[number]]

    with ThreadPoolExecutor(len(asked)) as pool:
        return [one.result(timeout=20) for one in [pool.submit(ask, number) for number in range(len(asked))]]


def test_what_is_asked_at_one_time_is_read_in_one_batch_in_the_order_of_the_members():
    model = _Model()
    answers = _together(model, [[["a", "b"]], [["c"]], [["d"]]])
    assert answers == [[["q0/a", "q0/b"]], [["q1/c"]], [["q2/d"]]]
    assert model.batches == [[("q0", "a"), ("q0", "b"), ("q1", "c"), ("q2", "d")]]


def test_members_that_are_done_keep_nobody_waiting():
    model = _Model()
    answers = _together(model, [[["a"]], [["b"], ["c"], ["d"]], []])
    assert answers[1] == [["q1/b"], ["q1/c"], ["q1/d"]]
    assert len(model.batches) == 3


def test_the_same_pair_is_read_once():
    model, group = _Model(), JointBatches(2)

    def ask(number):
        with group.member(number):
            return model.read([("same", "text")])

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(ask, range(2))) == [["same/text"], ["same/text"]]
    assert model.batches == [[("same", "text")]]


def test_a_failure_reaches_everyone_who_asked():
    model, group = _Model(), JointBatches(2)

    def ask(number):
        with group.member(number), pytest.raises(ValueError, match="broken"):
            model.read([("broken", "x")])
        return True

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(ask, range(2))) == [True, True]


def test_a_thread_outside_reads_at_once():
    model = _Model()
    assert model.read([("q", "a")]) == ["q/a"]
    assert threading.active_count() >= 1


def test_what_one_has_read_is_not_read_again():
    model = _Model()
    group = JointBatches(1)
    with group.member(0):
        assert model.read([("q", "a"), ("q", "b")]) == ["q/a", "q/b"]
        assert model.read([("q", "b"), ("q", "c")]) == ["q/b", "q/c"]
        assert model.read([("q", "a")]) == ["q/a"]
    assert model.batches == [[("q", "a"), ("q", "b")], [("q", "c")]]
