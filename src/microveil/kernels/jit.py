"""The one way a loop is compiled, and the array types that kernels speak."""

import hashlib
import os
import sys
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


CACHE_VARIABLE = "MICROVEIL_CACHE_DIR"
if os.environ.get(CACHE_VARIABLE):
    setattr(numba.config, "CACHE_DIR", os.environ[CACHE_VARIABLE])  # noqa: B010  numba sets it up at run time

COMPILING = "Compiling code for its first use here; it is kept, and the next run starts at once."


def interactive() -> bool:
    """Whether somebody may be waiting: a terminal, or a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class _Announcement(numba.core.event.Listener):
    """Says once that code is being compiled, so that nobody takes the wait for a fault."""

    said = False

    def on_start(self, event: object) -> None:  # noqa: ARG002  any compilation is news enough
        """Say it, to people only."""
        if not self.said and interactive():
            self.said = True
            sys.stderr.write(f"{COMPILING}\n")

    def on_end(self, event: object) -> None:
        """Nothing more to say."""


numba.core.event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]


def kernel(function: _Function) -> _Function:
    """Compile a loop without Python objects; releases the GIL, keeps the machine code on disk.

    The code is kept in `__pycache__` beside the module, in the user's cache folder when that
    cannot be written, or where `MICROVEIL_CACHE_DIR` says. No fast maths: the trees prune on
    bounds that hold because every sum is rounded in the same order.

    >>> @kernel
    ... def double(values):
    ...     return 2 * values
    >>> double(21)
    42
    """
    if getattr(numba.config, "DISABLE_JIT", False):
        return function
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # No folder can be written, or the source has no file: compile anew in each process.
        return cast("_Function", _without_literals(numba.njit(nogil=True)(function)))
    _without_literals(compiled)
    cache_file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if cache_file is not None:
        # Machine code contains the loops it calls. numba would notice an edit of this loop's own
        # module only, and go on using old code when a called module has changed; and it would
        # compile anew where a file is merely younger, as after a checkout.
        cache_file._source_stamp = _stamp(function)  # noqa: SLF001
    return cast("_Function", compiled)


def _without_literals(compiled: Any) -> Any:
    """Compile for whole numbers, not for the number 1, then the number −1, and so on.

    numba compiles a loop anew for each constant that another loop hands to it, and so on down
    the calls: twice to four times the work, for machine code that is no faster here.
    """
    template, plain = compiled.get_call_template, cast("Any", numba.types.unliteral)

    def plain_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        named = {name: plain(kind) for name, kind in kws.items()}
        return template(tuple(plain(kind) for kind in args), named)

    compiled.get_call_template = plain_template
    return compiled


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
