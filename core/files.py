"""What can go wrong with a file that is read."""

import zlib

UNREADABLE = (OSError, EOFError, zlib.error)
"""Errors of a file that cannot be read, plain or gzip: not there or no gzip; cut off; damaged within."""
