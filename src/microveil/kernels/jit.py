"""The decorator that declares a loop, and the array types that kernels use."""

import functools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from microveil.kernels.interpretation import CELLS, MANY_CELLS, Interpretation, is_cached

_Function = TypeVar("_Function", bound=Callable[..., object])
_HERE = threading.local()
# numba's own switch for coverage and debugging: a loop is then the plain function as written.
_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}


def kernel(function: _Function) -> _Function:
    """A loop over arrays, run as plain Python while that is quick and compiled after that.

    Both give bit-identical results. The machine code works without Python objects, releases the
    GIL and is cached on disk (:mod:`microveil.kernels.compilation`).

    >>> @kernel
    ... def double(values):
    ...     return 2 * values
    >>> double(21)
    42
    """
    return function if _PLAIN else cast("_Function", Kernel(function))


def wrapping_kernel(function: _Function) -> _Function:
    """A loop whose integers are meant to wrap around at 64 bits: hashes, random numbers."""
    return function if _PLAIN else cast("_Function", Kernel(function, wraps=True))


def kernel_like(plain: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """A loop that does what a function of NumPy does, which stands in for it in plain Python."""

    def decorate(function: _Function) -> _Function:
        return function if _PLAIN else cast("_Function", Kernel(function, plain=plain))

    return decorate


def kernel_of_columns(function: _Function) -> _Function:
    """A loop that leaves work on cells to functions with a stand-in: interpreted on more cells."""
    return function if _PLAIN else cast("_Function", Kernel(function, most_cells=MANY_CELLS))


@contextmanager
def always_compiled() -> Iterator[None]:
    """Compile every kernel that this thread uses, however small the data."""
    before = getattr(_HERE, "compiled", False)
    _HERE.compiled = True
    try:
        yield
    finally:
        _HERE.compiled = before


def stood_in_for(loop: Callable[..., object], n_cells: int, most: int) -> bool:
    """Whether the NumPy stand-in runs: until it has processed ``most`` cells in total."""
    if not isinstance(loop, Kernel) or loop.is_ready() or loop.n_spared + n_cells > most:
        return False
    loop.n_spared += n_cells
    return True


class Kernel:
    """A loop in its two forms."""

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        wraps: bool = False,
        plain: Callable[..., Any] | None = None,
        most_cells: int = CELLS,
    ) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        # Whether overflow is intended, rather than a sign that Python computes with too few bits.
        self.wraps = wraps
        self.plain = plain
        # Cells of its arrays up to which it is interpreted.
        self.most_cells = most_cells
        # Cells that NumPy worked on in this loop's place.
        self.n_spared = 0
        self._plain: Interpretation | None = Interpretation(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        plain = self._plain
        if plain is not None and not getattr(_HERE, "compiled", False):
            done = plain.run(arguments)
            if done is not None:
                return done[0]
            # Once compiled, machine code is always faster.
            self._plain = None
        return self._compiled(*arguments)

    def is_ready(self) -> bool:
        """Whether machine code was used in this process, is cached on disk, or is asked for."""
        wanted = getattr(_HERE, "compiled", False) or "_compiled" in self.__dict__
        return wanted or is_cached(self.py_func)

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
        """The numba type of this loop when another loop calls it."""
        from microveil.kernels.compilation import type_of

        return type_of(self._called)
