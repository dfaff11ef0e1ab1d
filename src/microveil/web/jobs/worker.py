"""What runs in a job's own process: wait for one task, do it, tell how it went, end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from microveil.errors import MicroveilError
from microveil.texts import Message

BETWEEN_NEWS = 0.1
"""Seconds between two messages about progress; more would only keep the pipe busy."""

Task = Callable[..., Any]


def work(pipe: Connection) -> None:
    """Load the library, then do the one task that comes through the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when a job ends
    with suppress(EOFError, OSError):  # whoever asked has gone
        import_module("microveil.web.project.tasks")
        pipe.send(("ready", os.getpid()))
        task, arguments = pipe.recv()
        pipe.send(_do(task, arguments, _Teller(pipe)))
    pipe.close()
    # Threads of libraries may still idle here; nothing is left that would need a tidy end.
    sys.stdout.flush()
    os._exit(0)


def _do(task: Task, arguments: dict[str, Any], progress: _Teller) -> tuple[str, Any]:
    """The result; or a sentence, without a cell's value, of what went wrong."""
    try:
        return "done", task(**arguments, progress=progress)
    except MicroveilError as error:
        return "failed", error.message
    except MemoryError:
        return "failed", Message(
            "app.enough_memory_table_try",
            "Not enough memory for this table. Try fewer columns or records.",
        )
    except Exception as error:  # noqa: BLE001  whatever it is, the page has to say something
        # The message of a foreign exception may quote a cell: its kind and place are all we tell.
        return "broken", f"{type(error).__name__} in {_place(error)}"


def _place(error: Exception) -> str:
    """Module and line where an exception was raised."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return "an unknown place"
    return f"{last.tb_frame.f_globals.get('__name__', '?')}:{last.tb_lineno}"


class _Teller:
    """Sends progress through the pipe, now and then."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.last = 0.0

    def __call__(self, done: float, total: float, what: str) -> None:
        if monotonic() - self.last >= BETWEEN_NEWS:
            self.last = monotonic()
            self.pipe.send(("progress", (float(done), float(total), what)))
