"""
Every error that Looksy raises on purpose.

::

    LooksyError
    ├── InputError            what the user gave cannot be used              exit 2, HTTP 422
    │   ├── ConfigError       a profile, publisher or environment setting     exit 2, HTTP 500
    │   └── NotFoundError     a system, run, article or publisher by name     exit 2, HTTP 404
    ├── StoreError            the index cannot be used as it is               exit 2, HTTP 503
    │   ├── StoreMissingError     nothing has been indexed yet
    │   ├── StoreVersionError     written by another version or embedder
    │   └── StoreLockedError      another process is writing
    ├── UnavailableError      a server or host did not answer as it should    exit 2, HTTP 503
    │   └── GeneratorError        the model server; `reason` says how
    ├── BusyError             no room for one more request; try again         exit 1, HTTP 503
    ├── TimeLimitError        the answer was not ready in time                exit 1, HTTP 504
    ├── ConflictError         somebody, or the evidence, has changed it         exit 1, HTTP 409
    ├── AccessError           no key, or one that does not open this          exit 1, HTTP 401
    │   ├── ForbiddenError        a key without the scope that is needed      exit 1, HTTP 403
    │   └── RateLimitError        a key asked too often; says when to retry   exit 1, HTTP 429
    ├── ModelError            a model file is missing or broken               exit 1, HTTP 500
    └── CancelledError        stopped; says how to resume       exit 130, by SIGTERM 143, HTTP 499

A message names the thing, the value received and the values accepted; `hint` says what to do next.
"""

from typing import ClassVar


def writable(text: str) -> str:
    """Return a text with its half characters (lone surrogates), which no file or reply can hold, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


class LooksyError(Exception):
    """
    Base of all errors that are meant for a person.

    :param message: One sentence: what is wrong, with the value received and the values accepted.
    :param field: The parameter, setting or file that is at fault; None if there is none.
    :param hint: What to do next, as a sentence or a command; None if there is nothing to do.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500

    def __init__(self, message: str, *, field: str | None = None, hint: str | None = None) -> None:
        self.message = writable(message)
        self.field = None if field is None else writable(field)
        self.hint = hint
        super().__init__(self.message)


class InputError(LooksyError):
    """What the user gave cannot be used."""

    code = "invalid_input"
    exit_code = 2
    http_status = 422


class ConfigError(InputError):
    """A profile, publisher file, pipeline file or environment variable is wrong."""

    code = "invalid_config"
    http_status = 500


class NotFoundError(InputError):
    """Nothing has the name that was asked for."""

    code = "not_found"
    http_status = 404


class StoreError(LooksyError):
    """The index cannot be used as it is."""

    code = "store_unusable"
    exit_code = 2
    http_status = 503


class StoreMissingError(StoreError):
    """Nothing has been indexed yet."""

    code = "store_missing"


class StoreVersionError(StoreError):
    """The index was written by another version of Looksy, or with another embedder."""

    code = "store_version"


class StoreLockedError(StoreError):
    """Another process is writing to the index, the crawl state or a run of an evaluation."""

    code = "store_locked"


class UnavailableError(LooksyError):
    """A server or host did not answer as it should."""

    code = "unavailable"
    exit_code = 2
    http_status = 503


class GeneratorError(UnavailableError):
    """
    A generator gave no usable reply.

    :param reason: Stable, for machines: timeout, connection, rate_limited, server_error, refused, bad_reply, truncated,
        empty, runaway, busy, context_full.
    """

    code = "generator_failed"

    def __init__(self, message: str, *, reason: str, field: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, field=field, hint=hint)
        self.reason = reason


class BusyError(LooksyError):
    """There is no room for one more request."""

    code = "busy"
    http_status = 503


class TimeLimitError(LooksyError):
    """The answer was not ready in time."""

    code = "time_limit"
    http_status = 504


class ConflictError(LooksyError):
    """What was to be changed is no longer, or not yet, in the state that the change needs."""

    code = "conflict"
    http_status = 409


class AccessError(LooksyError):
    """There is no key, or it is not one of ours."""

    code = "unauthorised"
    http_status = 401


class ForbiddenError(AccessError):
    """The key lacks the scope that is needed, or the caller may not do this from where it is."""

    code = "forbidden"
    http_status = 403


class RateLimitError(AccessError):
    """
    The caller asked too often.

    :param retry_after: Seconds until the next request is accepted.
    """

    code = "rate_limited"
    http_status = 429

    def __init__(self, message: str, *, retry_after: int, field: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, field=field, hint=hint or f"Try again in {retry_after} s.")
        self.retry_after = retry_after


class ModelError(LooksyError):
    """A model file is missing, broken or not the one that was recorded."""

    code = "model_unusable"


class CancelledError(LooksyError):
    """The user, or the client, stopped the work."""

    code = "cancelled"
    exit_code = 130
    http_status = 499
