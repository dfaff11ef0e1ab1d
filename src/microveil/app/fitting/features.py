"""Features as scikit-learn passes them: frames, or matrices whose columns are x0, x1 and so on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.tables.door import Door

Container: TypeAlias = Literal["default", "pandas", "polars"]
"""The kind of frame that comes out: the kind that came in, or always one."""


class FeaturesError(InputError, ValueError):
    """Features that do not fit; scikit-learn expects a ``ValueError`` of them."""


@dataclass(frozen=True, eq=False)
class Features:
    """A table of features, and whether it came as a matrix."""

    frame: Any
    """A data frame of any kind, or a mapping of columns."""
    is_matrix: bool
    names: tuple[str, ...]
    n_rows: int

    @classmethod
    def read(cls, given: Any) -> Features:
        """Take a frame as it is, and name the columns of a matrix as scikit-learn does."""
        if _is_sparse(given):
            raise TypeError("Sparse matrices cannot be protected: pass a frame, or X.toarray().")
        if _is_matrix(given):
            made = _matrix_to_frame(np.asarray(given))
            return cls(made, is_matrix=True, names=tuple(made.columns), n_rows=made.height)
        frame = Door(given).frame
        return cls(given, is_matrix=False, names=tuple(frame.columns), n_rows=frame.height)

    def refuse_empty(self) -> None:
        """Raise an error, in words that scikit-learn looks for, where nothing can be learnt."""
        if not self.n_rows:
            raise FeaturesError("Found array with 0 sample(s): nothing can be learnt from it.")
        if not self.names:
            raise FeaturesError(
                "Found array with 0 feature(s) (shape=({n}, 0)) while a minimum of 1 is required.",
                n=self.n_rows,
            )

    def back(self, made: Any, container: Container) -> Any:
        """A result as the kind that came in, or as the kind of frame that was asked for."""
        if container != "default":
            frame = Door(made).frame if not isinstance(made, pl.DataFrame) else made
            if container == "polars":
                return frame
            return made if _is_pandas(made) else frame.to_pandas()
        if not self.is_matrix:
            return made
        return made.to_numpy()


def _is_matrix(given: Any) -> bool:
    """Whether it has cells by position only: an array, nested lists, or what NumPy can read."""
    named = hasattr(given, "columns") or hasattr(given, "column_names")
    return isinstance(given, list | tuple) or (hasattr(given, "__array__") and not named)


def _matrix_to_frame(given: np.ndarray[Any, Any]) -> pl.DataFrame:
    if given.dtype == object:
        given = _plain(given)
    if np.iscomplexobj(given):
        raise FeaturesError("Complex data not supported: pass the parts as two columns.")
    if given.ndim != 2:  # noqa: PLR2004  rows and columns
        raise FeaturesError(
            "Expected 2D array, got {n}D array instead. Reshape your data: "
            "X.reshape(-1, 1) is one column, X.reshape(1, -1) one record.",
            n=given.ndim,
        )
    return pl.DataFrame(given, schema=[f"x{place}" for place in range(given.shape[1])])


def _plain(given: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A matrix of objects as numbers where all are, else as text."""
    try:
        return given.astype(np.float64)
    except (TypeError, ValueError):
        pass
    if any(isinstance(cell, dict | list | set) for cell in given.ravel()):
        raise TypeError("argument must be a string or a number: cells hold other objects.")
    missing = np.array([cell is None or cell != cell for cell in given.ravel()])  # noqa: PLR0124  NaN
    text = np.array([str(cell) for cell in given.ravel()], dtype=object)
    text[missing] = None
    return text.reshape(given.shape)


def _is_sparse(given: Any) -> bool:
    from scipy import sparse

    return bool(sparse.issparse(given))


def _is_pandas(made: Any) -> bool:
    return type(made).__module__.startswith("pandas")


def take_rows(given: Any, rows: Longs) -> Any:
    """Some rows of a target: a frame, a series, a vector or a list."""
    if hasattr(given, "iloc"):
        return given.iloc[rows]
    if isinstance(given, pl.Series | pl.DataFrame | np.ndarray):
        return given[rows]
    return type(given)(given[row] for row in rows.tolist())
