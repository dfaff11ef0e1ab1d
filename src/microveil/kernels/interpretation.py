"""Loops run as plain Python, for data so small that compiling would take longer."""

import ast
import math
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np

from microveil.source_trees import tree_of

CACHE_VARIABLE = "MICROVEIL_CACHE_DIR"
ROUNDS = 2_000_000
"""Iterations, over all loops, that a kernel is interpreted for: about a second, against the five
to forty that compiling it takes."""
ROUNDS_KEPT = 40_000
"""The same if machine code is cached: less than it takes to load numba."""
CELLS = 250_000
"""Cells of all arrays up to which a kernel is interpreted: each is worth a few iterations."""
MANY_CELLS = 1_000_000
"""Cell limit for kernels whose per-cell work NumPy does, when no machine code is cached."""
_PER_CALL = 50
"""Iterations that a call counts as, besides those of its loops."""
_TICK = "tick_of_the_budget"


class Interpretation:
    """A loop and everything it calls as Python functions, on a budget of iterations.

    Iterations are counted rather than seconds, so that a run is reproducible. The loop works on
    copies of the arrays; changed cells are written back at the end. An abandoned run therefore
    leaves no trace, and threads that share an array do not overwrite each other's cells.
    """

    def __init__(self, loop: Any) -> None:
        self._loop = loop
        self._rounds: Iterator[int] | None = None
        self._twin: Callable[..., Any] | None = None
        self._most_cells = CELLS

    def run(self, arguments: tuple[Any, ...]) -> tuple[Any] | None:
        """What the loop returns, in a tuple; None if compiled code has to run instead.

        That happens when the budget is used up, or on anything out of the ordinary, such as a
        32-bit overflow: machine code computes with 64 bits.
        """
        try:
            rounds = self._pay()
            papers = _Papers(self._most_cells)
            copies = papers.copy(arguments)
            twin = self._twin or self._translate(rounds)
            with np.errstate(all="raise", under="ignore"):
                found = twin(*copies)
        except Exception:  # noqa: BLE001  compiled code decides what is an error
            return None
        papers.write_back()
        return (papers.give_back(found),)

    def _pay(self) -> Iterator[int]:
        if self._rounds is None:
            cached = is_cached(self._loop.py_func)
            self._rounds = iter(range(ROUNDS_KEPT if cached else ROUNDS))
            self._most_cells = CELLS if cached else self._loop.most_cells
        for _ in range(_PER_CALL):
            next(self._rounds)
        return self._rounds

    def _translate(self, rounds: Iterator[int]) -> Callable[..., Any]:
        self._twin = _Translation(rounds.__next__).twin(self._loop)
        return self._twin


def is_cached(function: Any) -> bool:
    """Whether numba's cache on disk holds machine code of a loop."""
    code, version = function.__code__, f"py{sys.version_info[0]}{sys.version_info[1]}"
    path = Path(code.co_filename)
    name = f"{path.stem}.{function.__qualname__}-{code.co_firstlineno}.{version}.nbi"
    chosen = os.environ.get(CACHE_VARIABLE) or os.environ.get("NUMBA_CACHE_DIR")
    folder, name = (Path(chosen), f"*/{name}") if chosen else (path.parent / "__pycache__", name)
    return next(folder.glob(name), None) is not None


class _UnsuitedError(Exception):
    """Arguments that cannot be interpreted."""


class _Papers:
    """Copies of the arrays that a loop may write to."""

    def __init__(self, most_cells: int) -> None:
        self._arrays: dict[int, tuple[Any, Any, Any]] = {}  # original, snapshot, working copy
        self._size = 0
        self._most = most_cells

    def copy(self, value: Any) -> Any:
        """The value with every array in it copied."""
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, tuple):
            parts = [self.copy(part) for part in value]
            return tuple(parts) if type(value) is tuple else type(value)(*parts)
        if isinstance(value, int | float | np.generic):
            return value
        raise _UnsuitedError

    def _array(self, array: Any) -> Any:
        if id(array) in self._arrays:
            return self._arrays[id(array)][2]
        self._size += array.size
        if self._size > self._most or any(
            np.may_share_memory(array, other) for other, _, _ in self._arrays.values()
        ):
            raise _UnsuitedError
        self._arrays[id(array)] = (array, array.copy(order="K"), array.copy(order="K"))
        return self._arrays[id(array)][2]

    def write_back(self) -> None:
        """Write the changed cells to the caller's arrays."""
        for array, before, after in self._arrays.values():
            changed = before.view(_bits(before)) != after.view(_bits(after))
            if changed.any():
                array[changed] = after[changed]

    def give_back(self, value: Any) -> Any:
        """A result as machine code returns it: Python numbers, and the caller's own arrays."""
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, tuple):
            parts = [self.give_back(part) for part in value]
            return tuple(parts) if type(value) is tuple else type(value)(*parts)
        if isinstance(value, np.ndarray):
            for array, _, worked_on in self._arrays.values():
                if np.may_share_memory(value, worked_on):
                    return _same_part(value, worked_on, array)
        return value


def _bits(array: Any) -> Any:
    """The cells as integers, for a comparison in which NaN equals itself and −0 differs from 0."""
    return np.dtype(f"u{array.itemsize}")


def _same_part(part: Any, whole: Any, other: Any) -> Any:
    """The view of another array that corresponds to a part of the whole."""
    if part is whole:
        return other
    if whole.strides != other.strides or not other.flags.forc:
        return part.copy()
    offset = part.ctypes.data - whole.ctypes.data
    return np.ndarray(part.shape, part.dtype, other, offset, part.strides)


class _Translation:
    """Python functions that count the iterations of their loops."""

    def __init__(self, tick: Callable[[], int]) -> None:
        self._tick = tick
        self._twins: dict[Any, Callable[..., Any]] = {}

    def twin(self, loop: Any) -> Callable[..., Any]:
        """An equivalent function that calls nothing compiled."""
        if loop.plain is not None:
            return cast("Callable[..., Any]", loop.plain)
        if loop not in self._twins:
            made = self._make_twin(loop.py_func)
            self._twins[loop] = _wrapping(made) if loop.wraps else made
        return self._twins[loop]

    def _make_twin(self, function: Any) -> Callable[..., Any]:
        code = function.__code__
        if code.co_freevars:
            raise _UnsuitedError
        tree = tree_of(function)
        tree = ast.fix_missing_locations(_Counted().visit(tree))
        ast.increment_lineno(tree, code.co_firstlineno - 1)
        space = {**function.__globals__, _TICK: self._tick}
        for name in code.co_names:
            value = space.get(name)
            if value is np or value is math:
                space[name] = _EXACT[value.__name__]
            elif hasattr(value, "py_func") and name != function.__name__:
                space[name] = self.twin(value)
        exec(compile(tree, code.co_filename, "exec"), space)  # noqa: S102  the project's own text
        return cast("FunctionType", space[function.__name__])


def _wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    def wrap(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return wrap


class _Counted(ast.NodeTransformer):
    """Counts each iteration of a loop; drops decorators and annotations."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list, node.returns = [], None
        for argument in node.args.args:
            argument.annotation = None
        return self.generic_visit(node)

    def _count(self, node: Any) -> ast.AST:
        node.body.insert(0, ast.Expr(ast.Call(ast.Name(_TICK, ast.Load()), [], [])))
        return self.generic_visit(node)

    visit_For = visit_While = _count  # noqa: N815  ast's names


class _Exact(ModuleType):
    """numpy with the logarithms of `math`, which, like machine code, come from the C library.

    numpy's own use vector instructions and may differ in the last digit.
    """

    log = staticmethod(math.log)
    log2 = staticmethod(math.log2)
    exp = staticmethod(math.exp)

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        setattr(self, name, found)
        return found


def _unlike(_: float) -> float:
    """Python works out the logarithm of Γ by itself, to other last digits than machine code."""
    raise _UnsuitedError


_MATHS = SimpleNamespace(**{**vars(math), "lgamma": _unlike})
_EXACT: dict[str, Any] = {"numpy": _Exact("numpy"), "math": _MATHS}
