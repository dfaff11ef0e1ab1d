"""Loops compiled to machine code by numba and cached on disk."""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numba

from microveil.kernels.interpretation import CACHE_VARIABLE
from microveil.progress import interactive

# numba's stubs omit the options for wrappers.
_NJIT: Any = numba.njit
_OPTIONS: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
_Stamp = frozenset[tuple[str, str]]

if os.environ.get(CACHE_VARIABLE):
    setattr(numba.config, "CACHE_DIR", os.environ[CACHE_VARIABLE])  # noqa: B010  numba sets it up at run time


def only_read(folder: str | None) -> bool:
    """Let numba use a read-only cache, as in a container; return whether the folder is one.

    numba skips a folder that it cannot write to, and recompiles in every process.
    """
    if not folder or not Path(folder).is_dir() or os.access(folder, os.W_OK):
        return False
    caching: Any = numba.core.caching
    caching.UserProvidedCacheLocator.ensure_cache_path = lambda _: None
    caching.Cache._save_overload = lambda *_: None  # noqa: SLF001  nothing can be kept there
    return True


only_read(os.environ.get(CACHE_VARIABLE))

COMPILING = "Compiling code for its first use here; it is kept, and the next run starts at once."


class _Announcement(numba.core.event.Listener):
    """Announces once that code is being compiled, so that the wait does not look like a hang."""

    said = False

    def on_start(self, event: object) -> None:  # noqa: ARG002  any compilation is news enough
        """Announce it, in interactive sessions only."""
        if not self.said and interactive():
            self.said = True
            sys.stderr.write(f"{COMPILING}\n")

    def on_end(self, event: object) -> None:
        """Do nothing."""


numba.core.event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]


def outer(function: Callable[..., Any]) -> Any:
    """A loop that Python calls.

    The code is cached in `__pycache__` beside the module, in the user's cache folder if that is
    not writable, or in the folder `MICROVEIL_CACHE_DIR`. Fast maths is off: the trees prune on
    bounds that hold because every sum is rounded in the same order.
    """
    try:
        compiled = _NJIT(cache=True, **_OPTIONS)(function)
    except RuntimeError:
        # No folder is writable, or the source has no file: compile again in each process.
        return _NJIT(**_OPTIONS)(function)
    cache_file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if cache_file is not None:
        # Machine code includes the loops it calls. numba alone would notice edits to this loop's
        # own module only and keep stale code when a called module has changed; and it would
        # recompile when a file merely has a newer date, as after a checkout.
        cache_file._source_stamp = _stamp(function)  # noqa: SLF001
        cache_file._load_index = _forgiving(cache_file._load_index)  # noqa: SLF001
    return compiled


def _forgiving(load_index: Callable[[], Any]) -> Callable[[], Any]:
    """Treat an index as empty if it names types that have been renamed since: it is rebuilt."""

    def load() -> Any:
        try:
            return load_index()
        except (AttributeError, ImportError):
            return {}

    return load


def inner(function: Callable[..., Any]) -> Any:
    """A loop that another loop calls.

    It becomes part of the caller's machine code, so it needs neither a cache file nor the code
    that unpacks Python objects, which is a third of the work if tuples of arrays are passed.
    """
    compiled = _NJIT(no_cpython_wrapper=True, **_OPTIONS)(function)
    return _for_plain_integers(compiled)


def type_of(compiled: Any) -> Any:
    """The numba type of a loop, for loops that call it."""
    return cast("Any", numba.types.Dispatcher)(compiled)


def _for_plain_integers(compiled: Any) -> Any:
    """Compile once for 64-bit integers, not separately for the literals 1, −1 and narrower cells.

    numba specialises a loop for each constant and each width of an integer that another loop
    passes to it, and so on down the calls: twice to four times the work, for machine code that is
    no faster here.
    """
    template = compiled.get_call_template

    def plain_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        named = {name: _plain_integer(kind) for name, kind in kws.items()}
        return template(tuple(_plain_integer(kind) for kind in args), named)

    compiled.get_call_template = plain_template
    return compiled


def _plain_integer(kind: Any) -> Any:
    """The type of an argument; that of a signed integer is the widest one."""
    types = cast("Any", numba.types)
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


def _stamp(function: Callable[..., object]) -> _Stamp:
    """Digest of the name and text of a loop's module and of all modules it can call."""
    todo, stamp = [function], set()
    seen: set[str] = set()
    while todo:
        code: Any = todo.pop()
        path = Path(code.__code__.co_filename)
        if str(path) in seen:
            continue
        seen.add(str(path))
        stamp.add((path.name, hashlib.sha256(path.read_bytes()).hexdigest()))
        todo += [
            called.py_func for called in code.__globals__.values() if hasattr(called, "py_func")
        ]
    return frozenset(stamp)
