"""Settings: the one place that says how many threads the work may use."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from microveil.cores.machine import usable_cores
from microveil.errors import InputError

VARIABLE = "MICROVEIL_THREADS"
WISHES = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS")
"""Variables of libraries that limit this package, too."""
LIBRARIES = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What libraries read when they are loaded, and child processes when they start."""
_HERE = threading.local()


class Settings:
    """How the work is done, for the whole process; results never depend on it.

    >>> from microveil.cores import settings
    >>> with settings.using(threads=2):
    ...     settings.threads
    2
    """

    def __init__(self) -> None:
        self._threads: int | None = None
        self._environment: dict[str, str | None] = {}

    @property
    def threads(self) -> int:
        """Threads that the work may use.

        As set here; otherwise ``MICROVEIL_THREADS``; otherwise one for each core that the process
        may run on, but no more than ``POLARS_MAX_THREADS`` or ``OMP_NUM_THREADS`` allow. Set it to
        None to return to that.
        """
        if self._threads is not None:
            return self._threads
        own = _number_in(VARIABLE)
        if own is not None:
            return own
        wishes = [number for name in WISHES if (number := _number_in(name)) is not None]
        return min([usable_cores(), *wishes])

    @threads.setter
    def threads(self, number: int | None) -> None:
        if number is not None and (isinstance(number, bool) or int(number) != number or number < 1):
            raise InputError("threads is a whole number, one or larger, or None for all cores.")
        if not self._environment:
            self._environment = {name: os.environ.get(name) for name in (VARIABLE, *LIBRARIES)}
        _restore(self._environment)
        self._threads = None if number is None else int(number)
        if number is not None:
            os.environ.update(dict.fromkeys((VARIABLE, *LIBRARIES), str(number)))
            _warn_of_polars(int(number))
        _limit_algebra(self.threads)

    @contextmanager
    def using(self, *, threads: int | None) -> Iterator[None]:
        """Use another number of threads within a block; Polars keeps the one it started with."""
        before = self._threads
        self._threads = None if threads is None else max(int(threads), 1)
        try:
            yield
        finally:
            self._threads = before

    def __repr__(self) -> str:
        """The settings and their values."""
        return f"Settings(threads={self.threads})"


settings = Settings()


def n_threads() -> int:
    """Threads that the calling thread may use: fewer if others share the work already."""
    share = getattr(_HERE, "share", None)
    return settings.threads if share is None else min(share, settings.threads)


def take_share(threads: int) -> None:
    """Let the calling thread use no more than so many threads, for as long as it lives."""
    _HERE.share = threads


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep linear algebra and learners to one thread within the block.

    For many small pieces, and on a busy machine, several threads spend most of their time waiting
    for one another. The limit is the whole process's: of several blocks at a time the first sets
    it, and the last lifts it.
    """
    from threadpoolctl import threadpool_limits

    with _ALGEBRA.lock:
        if not _ALGEBRA.n_inside:
            _ALGEBRA.limits = threadpool_limits(limits=1)
        _ALGEBRA.n_inside += 1
    try:
        yield
    finally:
        with _ALGEBRA.lock:
            _ALGEBRA.n_inside -= 1
            if not _ALGEBRA.n_inside:
                _ALGEBRA.limits.restore_original_limits()


class _Algebra:
    """Blocks that keep linear algebra to one thread, and what held before the first of them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.n_inside = 0
        self.limits: Any = None


_ALGEBRA = _Algebra()


def _number_in(variable: str) -> int | None:
    """The number in a variable of the environment; OpenMP writes one for each level of nesting."""
    text = os.environ.get(variable, "").split(",")[0].strip()
    return int(text) if text.isdigit() and int(text) > 0 else None


def _restore(environment: dict[str, str | None]) -> None:
    for name, value in environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _limit_algebra(number: int) -> None:
    """Limit linear algebra that is loaded already; what is not reads the environment."""
    if "numpy" in sys.modules:
        with suppress(ImportError):
            from threadpoolctl import threadpool_limits

            threadpool_limits(limits=number)


def _warn_of_polars(number: int) -> None:
    """Say so if Polars has more threads already: it cannot give them back."""
    polars: Any = sys.modules.get("polars")
    if polars is not None and polars.thread_pool_size() > number:
        warnings.warn(
            f"Polars has {polars.thread_pool_size()} threads and keeps them: set threads before "
            "the first table, or start Python with POLARS_MAX_THREADS.",
            stacklevel=3,
        )
