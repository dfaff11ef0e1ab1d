from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv

GENERATORS = st.sampled_from(["cart", "boosted", "copula", "marginals", "bootstrap"])
FEW = settings(max_examples=25, deadline=None)


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """A small table of every kind of column, any of whose cells may be missing."""
    n = draw(st.integers(5, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    days = pl.Series(rng.integers(0, 9000, n).astype(np.int32)).cast(pl.Date)
    frame = pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(0, 90, n),
            "wages": rng.lognormal(6, 1, n).round(2),
            "rents": rng.integers(0, 500, n).astype(float),
            "born": days,
            "votes": rng.random(n) < 0.5,
        }
    )
    share = draw(st.sampled_from([0.0, 0.2, 1.0]))
    holes = [
        pl.when(pl.Series(rng.random(n) >= share)).then(pl.col(name)).alias(name)
        for name in frame.columns
    ]
    frame = frame.with_columns(holes)
    total = pl.sum_horizontal("wages", "rents").round(2)
    any_part = pl.any_horizontal(pl.col("wages", "rents").is_not_null())
    return frame.with_columns(pl.when(any_part).then(total).alias("income"))


@FEW
@given(tables(), GENERATORS, st.integers(1, 60))
def test_rules_hold_sums_add_up_and_types_stay(frame: pl.DataFrame, name: str, n: int) -> None:
    spec = mv.Synthesizer(
        generator=name,
        rules=[mv.Rule(when="age < 40", then={"votes": False, "rents": 0})],
        sums=[mv.Sum(total="income", parts=["wages", "rents"])],
    )
    drawn = spec.fit(frame, seed=1).sample(n, seed=2)
    assert drawn.schema == frame.schema
    assert drawn.height == n
    young = drawn.filter(pl.col("age") < 40)
    assert not young["votes"].any()
    assert not young["votes"].null_count()
    assert young["rents"].to_list() == [0.0] * young.height
    sums = drawn.select(pl.sum_horizontal("wages", "rents") - pl.col("income"))
    assert (sums.to_series().abs().max() or 0) < 1e-6
    for column in ("age", "wages", "born"):
        known, found = frame[column].drop_nulls().to_list(), drawn[column].drop_nulls().to_list()
        assert not found or min(known) <= min(found) <= max(found) <= max(known)


@FEW
@given(tables(), GENERATORS, st.sets(st.sampled_from(["sex", "age", "wages", "born", "votes"])))
def test_partial_synthesis_changes_nothing_else(
    frame: pl.DataFrame, name: str, columns: set[str]
) -> None:
    if not columns:
        return
    spec = mv.Synthesizer(generator=name, columns=sorted(columns))
    drawn = spec.fit(frame, seed=1).sample(seed=2)
    rest = [one for one in frame.columns if one not in columns]
    assert drawn.columns == frame.columns
    assert drawn.select(rest).equals(frame.select(rest))
    assert drawn.schema == frame.schema


@FEW
@given(tables(), GENERATORS)
def test_the_same_seeds_draw_the_same(frame: pl.DataFrame, name: str) -> None:
    spec = mv.Synthesizer(generator=name)
    first, second = (spec.fit(frame, seed=1).sample(seed=2) for _ in range(2))
    assert first.equals(second)
