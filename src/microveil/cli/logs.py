"""Logs of a command on standard error: lines for people, or JSON lines for programs."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer


class LogFormat(StrEnum):
    """How lines of the log look."""

    text = "text"
    json = "json"


Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Log what is done, and how long it took.")
]
Log = Annotated[
    LogFormat | None,
    typer.Option(
        "--log",
        envvar="MICROVEIL_LOG",
        help="Log to standard error as text or as JSON lines; no cell's value is in it.",
    ),
]


class TextLines(logging.Formatter):
    """A line for people: the time, what happened, and its facts."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        facts = " ".join(f"{name}={value}" for name, value in _facts(record).items())
        return f"{_time(record)} {record.getMessage()} {facts}".rstrip()


class JsonLines(logging.Formatter):
    """A JSON object in a line: time, level, event, and its facts beside them."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        head = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        return json.dumps(head | _facts(record), ensure_ascii=False, default=str)


def _facts(record: logging.LogRecord) -> dict[str, object]:
    return dict(getattr(record, "facts", {}))


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


@contextmanager
def logging_to_stderr(verbose: bool, form: LogFormat | None) -> Iterator[None]:
    """Log within this block, if it was asked for."""
    if not verbose and form is None:
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form is LogFormat.json else TextLines())
    logger = logging.getLogger("microveil")
    level, passed_on = logger.level, logger.propagate
    logger.setLevel(logging.INFO)
    logger.propagate = False  # nobody else's lines stand between ours
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = passed_on
