"""What the service says of an error to those who ask: what is its operator's affair may name files, and is logged."""

import logging

from core.errors import ConfigError, LooksyError, ModelError
from core.types import Failure
from service.state.jobs import Job

logger = logging.getLogger(__name__)
_OPERATORS = (ConfigError, ModelError)
_MESSAGE = "The service is not set up as it should be"
_HINT = "Its operator finds the reason in the log."


def public_error(error: LooksyError) -> LooksyError:
    """Return an error as it may be told; of one that is the operator's affair nothing but the code stays."""
    if not isinstance(error, _OPERATORS):
        return error
    logger.error("request failed", extra={"reason": error.message})
    return type(error)(_MESSAGE, hint=_HINT)


def public_job(job: Job) -> Job:
    """Return a job as readers may see it: of why it failed, which may name files, the code and where to find it."""
    if job.error is None:
        return job
    hint = f"Its operator finds the reason under job {job.job_id}."
    return job.model_copy(update={"error": Failure(code=job.error.code, message="The job failed.", hint=hint)})


def public_failure(failure: Failure, *, run_id: str) -> Failure:
    """
    Return the failure of a result as it may be told.

    :param run_id: Under which the log has the whole error.
    """
    if failure.code == "internal_error":  # one that nobody foresaw: it may also hold what others typed
        message = "Something went wrong while this was answered."
        return Failure(code=failure.code, message=message, hint=f"The log tells more about run {run_id}.")
    if failure.code in {one.code for one in _OPERATORS}:
        logger.error("answer failed", extra={"run_id": run_id, "reason": failure.message})
        return Failure(code=failure.code, message=_MESSAGE, hint=_HINT)
    return failure
