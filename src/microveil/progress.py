"""Progress: how long-running work reports how far it is, and how it ends."""

from __future__ import annotations

import functools
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, Protocol, Self, TypeVar

from microveil.texts.numbers import percent

PATIENCE = 2.0
"""Seconds of work after which its progress is shown."""
_PAUSE = 0.5
"""Seconds between two lines."""

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class Progress(Protocol):
    """Called from time to time with the amount done, the total, and a description."""

    def __call__(self, done: float, total: float, what: str) -> None:
        """Report progress; must be cheap and must not raise."""


class Doing(str):
    """What is being done, with a note on how far it has come; equal to the name without the note.

    >>> Doing("mondrian", "3 of 8 cuts") == "mondrian"
    True
    """

    __slots__ = ("note",)
    note: str

    def __new__(cls, name: str, note: str = "") -> Self:
        """The name of the work, and the note."""
        made = super().__new__(cls, name)
        made.note = note
        return made

    def __reduce__(self) -> tuple[type[Doing], tuple[str, str]]:
        """What a copy in another process is made of."""
        return Doing, (str(self), self.note)


def describe_work(what: str) -> str:
    """The work with its note.

    >>> describe_work(Doing("mondrian", "3 of 8 cuts"))
    'mondrian: 3 of 8 cuts'
    """
    note = what.note if isinstance(what, Doing) else ""
    return f"{what}: {note}" if note else str(what)


def silent(done: float, total: float, what: str) -> None:
    """Report nothing."""


def in_notebook() -> bool:
    """Whether this is a notebook's kernel."""
    return "ipykernel" in sys.modules


def interactive() -> bool:
    """Whether somebody may be watching: in a terminal or a notebook."""
    return in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


def shows_progress(
    function: Callable[_Parameters, _Result],
) -> Callable[_Parameters, _Result]:
    """Make a function that takes ``progress`` show it after two seconds by default.

    Only in interactive sessions; pass ``progress=microveil.progress.silent`` to turn it off.
    """

    @functools.wraps(function)
    def patient(*arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        if "progress" in options:
            return function(*arguments, **options)
        with showing(function.__name__) as progress:
            options["progress"] = progress
            return function(*arguments, **options)

    return patient


_STEP: ContextVar[Progress] = ContextVar("_STEP", default=silent)


def step_progress() -> Progress:
    """Where a step may report how far it is: silent unless somebody listens."""
    return _STEP.get()


@contextmanager
def listening_to_step(progress: Progress, place: float, total: float, what: str) -> Iterator[None]:
    """Within this block, what the step reports is its share of the whole.

    >>> def tell(done, total, what): print(done, total, describe_work(what))
    >>> with listening_to_step(tell, 1, 4, "mondrian"):
    ...     step_progress()(1, 2, Doing("cuts", "half of them"))
    1.5 4 mondrian: half of them
    """
    name, whole = what, total

    def tell(done: float, total: float, what: str) -> None:
        share = min(max(done / total, 0.0), 1.0) if total > 0 else 0.0
        note = what.note if isinstance(what, Doing) else ""
        progress(place + share, whole, Doing(name, note))

    token = _STEP.set(tell)
    try:
        yield
    finally:
        _STEP.reset(token)


@contextmanager
def showing(what: str) -> Iterator[Progress]:
    """Show progress once the work takes longer than two seconds; nested work adds no line."""
    if not interactive() or not _BUSY.acquire(blocking=False):
        yield silent
        return
    line = _Line(what)
    try:
        yield line
    finally:
        line.end()
        _BUSY.release()


_BUSY = threading.Lock()
"""Held by the work that shows progress: one line is enough."""


class _Line:
    """The current work, written to standard error by a separate thread."""

    def __init__(self, what: str) -> None:
        self._told, self._written = what, ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write, name="progress", daemon=True)
        self._thread.start()

    def __call__(self, done: float, total: float, what: str) -> None:
        """Record how far the work is."""
        share = min(max(done / total, 0.0), 1.0) if total > 0 else 0.0
        self._told = f"{describe_work(what)} ({percent(share, finest=0)} done)"

    def end(self) -> None:
        """Stop writing."""
        self._over.set()
        self._thread.join()

    def _write(self) -> None:
        pause = PATIENCE
        while not self._over.wait(pause):
            pause = _PAUSE
            if self._told != self._written:
                self._written = self._told
                self._put(f"Microveil: {self._told}")
        if self._written and not in_notebook():
            self._put("")

    @staticmethod
    def _put(text: str) -> None:
        """On a terminal one line that is overwritten; in a notebook a line each time."""
        sys.stderr.write(f"{text}\n" if in_notebook() else f"\r\x1b[K{text}")
        sys.stderr.flush()


@contextmanager
def ending_as_planned() -> Iterator[None]:
    """Let a server take the signals that stop it, and end as planned, not as an interruption."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {one: signal.signal(one, lambda *_: None) for one in signals}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
