"""The one way a loop is compiled, and the array types that kernels speak."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

_Function = TypeVar("_Function", bound=Callable[..., object])
_Stamp = frozenset[tuple[str, str]]
_STAMPS: dict[str, _Stamp] = {}


def kernel(function: _Function) -> _Function:
    """Compile a loop without Python objects; releases the GIL, keeps the machine code on disk.

    numba stores the code in `__pycache__` beside the module, in the user's cache folder when that
    cannot be written, or where `NUMBA_CACHE_DIR` says. No fast maths: the trees prune on bounds
    that hold because every sum is rounded in the same order.

    >>> @kernel
    ... def double(values):
    ...     return 2 * values
    >>> double(21)
    42
    """
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # No folder can be written, or the source has no file: compile anew in each process.
        return cast("_Function", numba.njit(nogil=True)(function))
    cache_file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if cache_file is not None:
        # Machine code contains the loops it calls. numba would notice an edit of this loop's own
        # module only, and go on using old code when a called module has changed; and it would
        # compile anew where a file is merely younger, as after a checkout.
        cache_file._source_stamp = _stamp(function)  # noqa: SLF001
    return cast("_Function", compiled)


def _stamp(function: Callable[..., object]) -> _Stamp:
    """Name and text, digested, of the module of a loop and of all modules it can call."""
    code: Any = function
    path = Path(code.__code__.co_filename)
    stamp: _Stamp = _STAMPS.get(str(path), frozenset())
    if not stamp:
        text = hashlib.sha256(path.read_bytes()).hexdigest()
        stamp = frozenset({(path.name, text)})
    for other in code.__globals__.values():
        called = getattr(getattr(other, "py_func", None), "__code__", None)
        if called is not None:
            stamp |= _STAMPS.get(called.co_filename, frozenset())
    _STAMPS[str(path)] = stamp
    return stamp
