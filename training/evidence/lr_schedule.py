"""The learning rate, step by step."""

import math

from training.recipe import Schedule


def rate_at(step: int, schedule: Schedule) -> float:
    """
    Return the learning rate of a step, counted from 0.

    :returns: Between `schedule.floor * schedule.peak` and `schedule.peak`, less while it rises.
    """
    if step < schedule.warmup:
        return schedule.peak * (step + 1) / schedule.warmup
    fallen = min(1.0, max(0.0, (step - schedule.stable) / schedule.cooling))
    share = schedule.floor + (1 - schedule.floor) * (1 + math.cos(math.pi * fallen)) / 2
    return schedule.peak * share
