"""Progress without a terminal: a line now and then, so that long work does not seem to hang."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from microveil.cli.logs import json_line, wants_json_lines
from microveil.display import percent
from microveil.progress import Doing, describe_work

PAUSE = 10.0
"""Seconds before the first line, and between two; what is quicker prints nothing."""


class ProgressLines:
    """Remembers what is being done, and prints it every few seconds."""

    def __init__(self, out: TextIO, pause: float = PAUSE) -> None:
        """``out`` is where lines go, ``pause`` how long to wait between them."""
        self._out, self._pause = out, pause
        self._started = time.monotonic()
        self._news: tuple[float, float, str] = (0, 1, "working")
        self._over = threading.Event()

    def __call__(self, done: float, total: float, what: str) -> None:
        """Receive progress."""
        self._news = (done, total, what)

    def line(self) -> str:
        """What is being done, how far it is, and for how long."""
        done, total, what = self._news
        seconds = time.monotonic() - self._started
        share = done / total if total > 1 and 0 < done <= total else None
        if wants_json_lines():
            rounded = None if share is None else round(share, 3)
            note = {"note": what.note} if isinstance(what, Doing) and what.note else {}
            took = round(seconds, 1)
            return json_line("progress", what=what, **note, done_share=rounded, seconds=took)
        far = "" if share is None else f", {percent(share, finest=0)}"
        return f"microveil: {describe_work(what)}{far} ({seconds:.0f} s)"

    def tell(self) -> None:
        """Print a line after every pause until the work is over."""
        while not self._over.wait(self._pause):
            self._out.write(self.line() + "\n")
            self._out.flush()

    def stop(self) -> None:
        """Stop printing."""
        self._over.set()


@contextmanager
def progress_lines(out: TextIO | None = None, pause: float = PAUSE) -> Iterator[ProgressLines]:
    """Lines on standard error while the block runs."""
    lines = ProgressLines(out or sys.stderr, pause)
    teller = threading.Thread(target=lines.tell, daemon=True)
    teller.start()
    try:
        yield lines
    finally:
        lines.stop()
        teller.join()
