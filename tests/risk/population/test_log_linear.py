from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.risk.population.log_linear import Cells, LogLinear
from microveil.statistics.poisson_fits import iterated_least_squares, proportional_fit


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=30),
    st.sampled_from([(), (("a", "b"),)]),
    st.sampled_from(["poisson", "offset"]),
)
@settings(deadline=None, max_examples=40)
def test_fits_have_the_margins_of_the_table(
    rows: list[tuple[int, int]], interactions: tuple[tuple[str, str], ...], method: str
) -> None:
    """The likelihood equations of a log-linear model; the saturated one repeats the counts."""
    counted = pl.DataFrame(rows, schema=["a", "b"], orient="row").group_by("a", "b").len("n")
    counts = counted["n"].to_numpy().astype(np.int64)
    weights = 4.0 * counts.astype(np.float64)
    cells = Cells(counted.select("a", "b"), counts, weights, counts / weights)
    model = LogLinear.parse({"method": method, "interactions": interactions})
    found = model.fit(cells)
    if interactions:
        assert found == pytest.approx(counts, rel=1e-6)
    elif counted.height == counted["a"].n_unique() * counted["b"].n_unique():
        for name in ("a", "b"):
            sums = counted.with_columns(fit=found).group_by(name).agg(pl.col("n", "fit").sum())
            assert sums["fit"].to_list() == pytest.approx(sums["n"].to_list(), rel=1e-6)


def test_both_fits_agree_on_a_model_with_interactions_and_an_offset() -> None:
    rng = np.random.default_rng(1)
    counts = rng.poisson(5, (3, 2, 4)).astype(np.float64)
    offset = rng.normal(0, 1, counts.shape)
    fit = proportional_fit(counts, [(0, 1), (2,)], np.exp(offset))
    a, b, c = (axis.ravel() for axis in np.indices(counts.shape))
    effects = [np.ones(24)]
    effects += [(a == i) & (b == j) for i, j in itertools.product(range(3), range(2))][1:]
    effects += [c == k for k in range(1, 4)]
    design = np.column_stack(effects).astype(np.float64)
    other = iterated_least_squares(design, counts.ravel(), offset.ravel())
    assert fit.ravel() == pytest.approx(other, rel=1e-7)
