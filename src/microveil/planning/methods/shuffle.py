"""Shuffling: ranks and scores in scratch files, values and scores sorted on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.methods import Shuffle
from microveil.methods.parts.columns import refuse_kinds, usable_frame
from microveil.methods.parts.ranks import needs_order
from microveil.planning.class_index import places
from microveil.planning.course import Course
from microveil.planning.methods.numbering import LOT, ROW, VALUE, laid_out, order_values
from microveil.planning.moved_plan import MovedPlan
from microveil.planning.sorting import BATCH, Sorter, StoredColumns, zip_frames
from microveil.statistics.normal_scores import Copula, Known, fit_copula
from microveil.tables.kinds import has_order, is_number

OnDisk = NDArray[Any]


def suits(step: Shuffle) -> bool:
    """Whether ranks tell all, up to chance."""
    return step.model == "ranks" and not step.exact


def plan_shuffle(
    step: Shuffle, position: int, course: Course, sorter: Sorter, rng: np.random.Generator
) -> MovedPlan:
    """Fit the copula, draw scores, and give the r-th smallest value to the r-th smallest score."""
    head = usable_frame(course.head, [*step.columns, *step.given], step.kind())
    refuse_kinds(head, step.columns, has_order, needs_order(step.kind()))
    n_rows = course.height()
    columns = [sorter.store(order_values(course, name, rng)) for name in step.columns]
    ranks, present = _on_disk(sorter, n_rows, columns), _flags(sorter, n_rows, columns)
    known = _read_known(step, course, sorter, rng)
    copula = fit_copula(ranks, present, known)
    scores = _scores(copula, known, sorter, rng)
    moved: list[StoredColumns] = []
    for place, (name, stored) in enumerate(zip(step.columns, columns, strict=True)):
        drawn = sorter.store(_draw(scores[:, place], present[:, place]))
        rows = sorter.in_order(drawn, [ROW], ["score", ROW])
        values = sorter.in_order(stored, [VALUE], [VALUE, LOT], f"{VALUE} IS NOT NULL")
        missing = sorter.in_order(stored, [ROW, VALUE], [], f"{VALUE} IS NULL")
        everywhere = chain(zip_frames(rows, values), missing)
        moved.append(laid_out(sorter, everywhere, name, head.schema[name]))
    read = (*step.columns, *step.given)
    return MovedPlan(step, position, read, tuple(moved), {"n_given": len(step.given)})


def _array(sorter: Sorter, shape: tuple[int, int], dtype: Any) -> OnDisk:
    """An array in a scratch file, which the system keeps in memory as far as there is room."""
    if 0 in shape:
        return np.zeros(shape, dtype=dtype)
    path = sorter.folder / f"{np.random.default_rng().integers(2**63):x}.array"
    return np.memmap(path, dtype=dtype, mode="w+", shape=shape)


def _on_disk(sorter: Sorter, n_rows: int, columns: Sequence[Any]) -> OnDisk:
    """Average ranks of columns, the middle rank for missing cells: (rows, columns)."""
    ranks = _array(sorter, (n_rows, len(columns)), np.float64)
    for place, stored in enumerate(columns):
        n_present = sorter.n_present(stored, VALUE)
        ranks[:, place] = ((n_present or n_rows) + 1) / 2
        for rows, mean in _runs(
            sorter.in_order(stored, [ROW, VALUE], [VALUE], f"{VALUE} IS NOT NULL")
        ):
            ranks[rows, place] = mean
    return ranks


def _runs(ranked: Iterator[pl.DataFrame]) -> Iterator[tuple[NDArray[np.int64], Any]]:
    """Rows with their average ranks; the last run of equal values waits for the next frame."""
    before = 0
    held: pl.DataFrame | None = None
    for frame in ranked:
        both = frame if held is None else pl.concat([held, frame], rechunk=True)
        last = both[VALUE] == both[VALUE][-1]
        done, held = both.filter(~last), both.filter(last)
        if done.height:
            yield done[ROW].to_numpy(), before + done[VALUE].rank("average").to_numpy()
            before += done.height
    if held is not None and held.height:
        yield held[ROW].to_numpy(), before + (held.height + 1) / 2


def _flags(sorter: Sorter, n_rows: int, columns: Sequence[Any]) -> OnDisk:
    present = _array(sorter, (n_rows, len(columns)), np.bool_)
    present[:] = True
    for place, stored in enumerate(columns):
        for frame in sorter.in_order(stored, [ROW], [], f"{VALUE} IS NULL"):
            present[frame[ROW].to_numpy(), place] = False
    return present


def _read_known(step: Shuffle, course: Course, sorter: Sorter, rng: np.random.Generator) -> Known:
    """The columns that are conditioned on, as :func:`known_columns` has them in memory."""
    schema, n_rows = course.head.frame.schema, course.height()
    given = [name for name in step.given if schema[name] != pl.Null]
    numbers = [name for name in given if is_number(schema[name])]
    stored = [sorter.store(order_values(course, name, rng)) for name in numbers]
    ranks = _on_disk(sorter, n_rows, stored)
    gaps = [
        name
        for name, path in zip(numbers, stored, strict=True)
        if 0 < sorter.n_present(path, VALUE) < n_rows
    ]
    codes: list[OnDisk] = []
    counts: list[NDArray[np.int64]] = []
    for name in given:
        if name in numbers and name not in gaps:
            continue
        found = course.count_distinct([name])
        keys = found.keys.select(pl.col(name).is_null()) if name in numbers else found.keys
        category = _categories(keys, found.counts)
        codes.append(_codes(course, sorter, category, sum(map(len, counts))))
        counts.append(category["n"].to_numpy()[1:])
    shares = np.concatenate([np.empty(0), *counts]) / max(n_rows, 1)
    return Known(ranks, _beside(sorter, codes, n_rows), shares)


def _categories(keys: pl.DataFrame, sizes: NDArray[np.int64]) -> pl.DataFrame:
    name = keys.columns[0]
    counted = keys.select(pl.col(name).alias("category")).with_columns(pl.Series("n", sizes))
    return (
        counted.group_by("category")
        .agg(pl.col("n").sum())
        .sort("category")
        .rename({"category": name})
    )


def _codes(course: Course, sorter: Sorter, categories: pl.DataFrame, offset: int) -> OnDisk:
    """For each row the 0/1 column that is one; −1 for the first category."""
    name = categories.columns[0]
    gaps = course.head.frame.schema[name] != categories.schema[name]
    codes = _array(sorter, (course.height(), 1), np.int64)
    start = 0
    for table in course.tables():
        column = table.frame.select(pl.col(name).is_null() if gaps else pl.col(name))
        place = places(categories.select(name), column).to_numpy()
        codes[start : start + table.height, 0] = np.where(place > 0, place - 1 + offset, -1)
        start += table.height
    return codes


def _beside(sorter: Sorter, columns: Sequence[OnDisk], n_rows: int) -> OnDisk:
    found = _array(sorter, (n_rows, len(columns)), np.int64)
    for place, column in enumerate(columns):
        found[:, place] = column[:, 0]
    return found


def _scores(copula: Copula, known: Known, sorter: Sorter, rng: np.random.Generator) -> OnDisk:
    n_rows = len(known.ranks)
    scores = _array(sorter, (n_rows, len(copula.coefficients)), np.float64)
    for start in range(0, n_rows, BATCH):
        rows = slice(start, min(start + BATCH, n_rows))
        scores[rows] = copula.means_of(known, rows) + copula.noise(rows.stop - start, rng)
    return scores


def _draw(scores: OnDisk, present: OnDisk) -> Iterator[pl.DataFrame]:
    for start in range(0, len(scores), BATCH):
        rows = start + np.flatnonzero(present[start : start + BATCH])
        yield pl.DataFrame({ROW: rows, "score": np.asarray(scores[rows])})
