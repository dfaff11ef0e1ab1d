"""Figures 1 to 3 of the thesis: its methods on ten values, step by step."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.methods import Method, Microaggregate, RankSwap
from microveil.studies.cells import Cell, Experiment, sampling_error
from microveil.tables import Table

VALUES = (15, 19, 23, 25, 31, 33, 35, 39, 40, 44)
"""The ten values of all three figures. The fifth is not legible: the printed mean of 30.4 makes it
31."""
RANGE = 4
N_DRAWS = 1_000


def worked_figures() -> Experiment:
    """What the figures show, computed by our steps."""
    cells = [*_microaggregation(), *_swaps(), *_blocks()]
    return Experiment.of(
        "The worked figures",
        "Figures 1 to 3",
        cells,
        note=f"Ten values, ranges of {RANGE}, groups of three. What the figures draw by chance is "
        f"looked for among {N_DRAWS:,} draws: it must come as often as its chance says, and no "
        "draw may leave its range.",
    )


def _microaggregation() -> list[Cell]:
    """Figure 3: the value farthest from the mean, and its group."""
    released = _draw(Microaggregate(columns=["x"], k=3), 1)[0]
    where = {"figure": "3, microaggregation"}
    return [
        Cell(where, "mean of the values", float(np.mean(VALUES)), "30.4"),
        Cell(where, "released for 15", float(released[0]), "19"),
        Cell(where, "released for 19", float(released[1]), "19"),
        Cell(where, "released for 23", float(released[2]), "19"),
    ]


def _swaps() -> list[Cell]:
    """Figure 1: the first rank is swapped with the third, the second with the fifth."""
    # The thesis draws from i + 1 to i + range − 1; ours counts the ranks above.
    draws = _ranks(RankSwap(columns=["x"], range_share=(RANGE - 1) / len(VALUES)))
    farthest = np.abs(draws - np.arange(len(VALUES))).max()
    seen = (draws[:, 0] == 2) & (draws[:, 1] == 4)  # noqa: PLR2004  the figure's ranks, from 0
    # One of three ranks, then one of the two that are left in the range.
    return [
        Cell({"figure": "1, rank swapping"}, "farthest move, ranks", float(farthest)),
        _chance({"figure": "1, rank swapping"}, seen, 1 / 6),
    ]


def _blocks() -> list[Cell]:
    """Figure 2: the first four values in the order 23, 25, 15, 19."""
    draws = _ranks(RankSwap(columns=["x"], range_share=RANGE / len(VALUES), variant="blocks"))
    stay = (np.sort(draws[:, :RANGE], axis=1) == np.arange(RANGE)).all()
    seen = (draws[:, :RANGE] == [2, 3, 0, 1]).all(axis=1)
    where = {"figure": "2, its variant"}
    return [
        Cell(where, "draws that stay in their range, per cent", 100.0 * float(stay)),
        _chance(where, seen, 1 / 24),
    ]


def _chance(where: dict[str, str], seen: NDArray[np.bool_], expected: float) -> Cell:
    """How often the drawn figure comes out, beside its probability, which is computed."""
    error = sampling_error(float(np.sqrt(expected * (1 - expected))), len(seen))
    quantity = f"share of draws as in the figure, expected {expected:.4f}, not printed"
    return Cell(where, quantity, float(seen.mean()), None, error)


def _draw(method: Method, n_draws: int) -> NDArray[np.float64]:
    table = Table(pl.DataFrame({"x": [float(value) for value in VALUES]}))
    released = [
        method.apply(table, np.random.default_rng([2021, i])).table.frame["x"].to_numpy()
        for i in range(n_draws)
    ]
    return np.stack(released)


def _ranks(method: Method) -> NDArray[np.int64]:
    """Which rank each rank's value had, in every draw."""
    return np.searchsorted(np.array(VALUES, dtype=np.float64), _draw(method, N_DRAWS))
