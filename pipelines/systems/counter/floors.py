"""What a reply must reach to be returned at all."""

from pipelines.systems.counter.types import JudgedReply

FLOORS = {
    "refutation": 0.5,
    "factuality": 0.75,
    "politeness": 0.75,
    "relevance to claim": 0.1,
    "relevance to evidence": 0.5,
}
"""Least value of each score."""
FLOOR = 0.6
"""Least mean of the scores."""


def with_floors(judged: JudgedReply, *, floor: float = FLOOR) -> JudgedReply:
    """
    Return the reply as it was judged; below a floor is a fault.

    :param floor: Least mean of the scores.
    """
    if judged.fault:
        return judged
    low = [score for score in judged.scores if score.value < FLOORS[score.name]]
    if low:
        fault = f"Its {low[0].name} is {low[0].value:.2f}; at least {FLOORS[low[0].name]:.2f} is needed."
        return judged.model_copy(update={"fault": fault})
    if judged.total < floor:
        fault = f"Its scores come to {judged.total:.2f}; at least {floor:.2f} is needed."
        return judged.model_copy(update={"fault": fault})
    return judged
