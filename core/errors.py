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
    ├── BusyError             no room for one more request; try again         exit 1, HTTP 503
    ├── ModelError            a model file is missing or broken               exit 1, HTTP 500
    └── CancelledError        stopped by the user; says how to resume         exit 130, HTTP 499

A message names the thing, the value received and the values accepted; `hint` says what to do next.
"""

from typing import ClassVar


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
        super().__init__(message)
        self.message = message
        self.field = field
        self.hint = hint


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
    """Another process is writing to the index or the crawl state."""

    code = "store_locked"


class UnavailableError(LooksyError):
    """A server or host did not answer as it should."""

    code = "unavailable"
    exit_code = 2
    http_status = 503


class BusyError(LooksyError):
    """There is no room for one more request."""

    code = "busy"
    http_status = 503


class ModelError(LooksyError):
    """A model file is missing, broken or not the one that was recorded."""

    code = "model_unusable"


class CancelledError(LooksyError):
    """The user, or the client, stopped the work."""

    code = "cancelled"
    exit_code = 130
    http_status = 499
