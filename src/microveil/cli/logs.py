"""Logs of a command on standard error: lines for people, or JSON lines for programs."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from itertools import pairwise
from typing import Annotated, Any

import typer

from microveil.progress import Progress


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


def wants_json_lines() -> bool:
    """Whether everything on standard error is to be JSON lines, for whoever collects them.

    Looked up in the words of the command itself, because mistakes in them are also told so.
    """
    words = " ".join(sys.argv).replace("--log=", "--log ").split()
    given = [word for before, word in pairwise(words) if before == "--log"]
    return (given or [os.environ.get("MICROVEIL_LOG", "")])[-1] == LogFormat.json


def json_line(event: str, level: str = "info", **facts: object) -> str:
    """A line of the log as a JSON object."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    head = {"time": now, "level": level, "event": event}
    return json.dumps(head | facts, ensure_ascii=False, default=str)


def say(message: str, *, colour: str | None = None, level: str = "error", **facts: object) -> None:
    """Print a message to standard error, for people or as a line of the log."""
    if wants_json_lines():
        typer.echo(json_line("message", level, message=message, **facts), err=True)
    else:
        typer.secho(f"microveil: {message}", fg=colour, err=True)


class _Phases:
    """Whether the phases of the current command are logged here; `run` logs its own."""

    logged = False


def takes_log_options(name: str, command: Callable[..., None]) -> Callable[..., None]:
    """Add `--verbose` and `--log` to a command: its start, its phases and its end are logged."""
    own = signature(command, eval_str=True).parameters
    if "verbose" in own:
        return command

    @wraps(command)
    def with_log(*, verbose: bool, log: LogFormat | None, **given: Any) -> None:
        with logging_to_stderr(verbose, log), _log_command(name):
            command(**given)

    more = [
        Parameter("verbose", Parameter.KEYWORD_ONLY, default=False, annotation=Verbose),
        Parameter("log", Parameter.KEYWORD_ONLY, default=None, annotation=Log),
    ]
    parameters = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in own.values()] + more
    with_log.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    with_log.__annotations__ = {one.name: one.annotation for one in parameters}
    return with_log


@contextmanager
def _log_command(command: str) -> Iterator[None]:
    """Log the start and the end of a command, and its phases in between."""
    _Phases.logged = True
    started, outcome = time.perf_counter(), "failed"
    _log("start", command=command)
    try:
        yield
        outcome = "done"
    finally:
        _Phases.logged = False
        seconds = round(time.perf_counter() - started, 3)
        _log("end", command=command, outcome=outcome, seconds=seconds)


def _log(event: str, **facts: object) -> None:
    logging.getLogger("microveil").info(event, extra={"facts": facts})


@contextmanager
def phases_logged(progress: Progress) -> Iterator[Progress]:
    """Pass progress on and, if a log was asked for, log each phase and how long it took."""
    if not (_Phases.logged and logging.getLogger("microveil").isEnabledFor(logging.INFO)):
        yield progress
        return
    from microveil.app.file_runs.watch import Watch

    watch = Watch(progress)
    try:
        yield watch
    finally:
        watch.end()


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
