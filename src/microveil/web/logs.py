"""Logs: what the server reports about itself, never a cell of the data."""

from __future__ import annotations

import logging
import re
import sys
import traceback
from types import TracebackType

QUERY = re.compile(r"\?[^\s\"']*")
"""What follows an address: it may carry the token that lets a browser in."""


class Discreet(logging.Filter):
    """Replaces what a record says about an exception by its kind and place.

    The message of an exception may quote a cell, and a message of a library may quote it in turn.
    Addresses lose their query, and a line stays one line.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Change a log record; none is filtered out."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None and isinstance(record.msg, BaseException):
            error = record.msg
        if error is not None:
            record.msg = f"{type(error).__name__} in {place_of(error.__traceback__)}"
            record.args, record.exc_info, record.exc_text = (), None, None
        record.msg = " ".join(QUERY.sub("?…", record.getMessage()).splitlines())
        record.args = ()
        return True


def place_of(trace: TracebackType | None) -> str:
    """Module and line where an exception was raised."""
    frames = traceback.extract_tb(trace)
    return f"{frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno}" if frames else "?"


def quiet(*loggers: logging.Logger) -> None:
    """Make loggers name exceptions without quoting them, on standard error."""
    for logger in loggers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        handler.addFilter(Discreet())
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
