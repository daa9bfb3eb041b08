"""Ask a system for one item of an evaluation, as a user would."""

from core.types import Request, Result, Status
from evaluation.runs.execute import Answered, PredictionFailedError
from evaluation.runs.models import Output
from pipelines.engine import Engine


def ask_system(engine: Engine, system: str, request: Request) -> Result:
    """
    Ask a system.

    :raises PredictionFailedError: If the result failed: a failure is listed, never scored as an answer.
    """
    result = engine.run(system, request)
    if result.status is Status.FAILED:
        reason = result.failure.message if result.failure else "no reason given"
        raise PredictionFailedError(reason, field=result.failure.code if result.failure else None)
    return result


def answered(result: Result, output: Output) -> Answered:
    """Put the tokens that the models took and the run record beside what was kept of a result."""
    calls = result.run.calls if result.run else ()
    return Answered(
        output=output,
        tokens_in=sum(call.tokens_in or 0 for call in calls) if calls else None,
        tokens_out=sum(call.tokens_out or 0 for call in calls) if calls else None,
        run_record=result.run,
    )
