"""The one way to declare a loop, and the array types that kernels speak."""

import functools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from microveil.kernels.interpretation import Interpretation

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

_Function = TypeVar("_Function", bound=Callable[..., object])
_HERE = threading.local()
# Asked of numba by who measures coverage or debugs: then a loop is the function it was written as.
_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}


def kernel(function: _Function) -> _Function:
    """A loop over arrays, run as plain Python while that is quick and compiled from then on.

    Both give the same bits. The machine code works without Python objects, releases the GIL and
    is kept on disk (:mod:`microveil.kernels.compilation`).

    >>> @kernel
    ... def double(values):
    ...     return 2 * values
    >>> double(21)
    42
    """
    return function if _PLAIN else cast("_Function", Kernel(function))


def wrapping_kernel(function: _Function) -> _Function:
    """A loop whose whole numbers are meant to wrap round at 64 bits: hashes, random numbers."""
    return function if _PLAIN else cast("_Function", Kernel(function, wraps=True))


@contextmanager
def always_compiled() -> Iterator[None]:
    """Compile whatever this thread uses, however small the data."""
    before = getattr(_HERE, "compiled", False)
    _HERE.compiled = True
    try:
        yield
    finally:
        _HERE.compiled = before


class Kernel:
    """A loop in its two forms."""

    def __init__(self, function: Callable[..., Any], *, wraps: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        # Whether overflow is meant, not a sign that Python reckons with too few bits.
        self.wraps = wraps
        self._plain: Interpretation | None = Interpretation(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        plain = self._plain
        if plain is not None and not getattr(_HERE, "compiled", False):
            done = plain.run(arguments)
            if done is not None:
                return done[0]
            # What has been compiled once stays the faster way.
            self._plain = None
        return self._compiled(*arguments)

    @functools.cached_property
    def _compiled(self) -> Any:
        from microveil.kernels.compilation import outer

        return outer(self.py_func)

    @functools.cached_property
    def _called(self) -> Any:
        from microveil.kernels.compilation import inner

        return inner(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes this for, where another loop calls it."""
        from microveil.kernels.compilation import type_of

        return type_of(self._called)
