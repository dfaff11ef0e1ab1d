from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.pairs.row_order import rows_differ


def people(n: int = 1000) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    age = rng.integers(20, 60, n)
    return pl.DataFrame(
        {
            "age": age,
            "sex": rng.choice(["f", "m"], n),
            "pay": age * 100 + rng.normal(0, 500, n),
            "town": (age // 10).astype(str),
        }
    )


def differ(before: pl.DataFrame, after: pl.DataFrame) -> bool:
    return rows_differ(mv.Table(before), mv.Table(after))


CHANGES: dict[str, list[mv.Method]] = {
    "nothing": [],
    "noise": [mv.AdditiveNoise(columns=["age", "pay"], sd_share=0.5)],
    "swapping": [mv.RankSwap(columns=["age", "pay"], range_share=0.1)],
    "coarsening": [
        mv.Mondrian(k=20, columns=["age", "sex", "pay", "town"]),
    ],
}


@pytest.mark.parametrize("name", list(CHANGES))
@pytest.mark.parametrize("seed", range(3))
def test_protected_rows_are_recognised_until_they_are_shuffled(name: str, seed: int) -> None:
    after = people()
    roles = mv.Roles(quasi_identifiers=["age", "sex", "pay", "town"])
    for step in CHANGES[name]:
        after = step.protect(after, roles, seed=seed)
    assert not differ(people(), after)
    assert differ(people(), after.sample(fraction=1, shuffle=True, seed=seed))


def test_columns_that_were_torn_apart_are_no_other_row_order() -> None:
    rng = np.random.default_rng(1)
    torn = people().select(pl.Series(c.name, c.to_numpy()[rng.permutation(1000)]) for c in people())
    assert not differ(people(), torn)


def test_independent_columns_tell_nothing() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({name: rng.random(500) for name in "abcde"})
    assert not differ(frame, frame.sample(fraction=1, shuffle=True, seed=0))


@pytest.mark.parametrize("n", [0, 1, 49])
def test_a_small_table_tells_nothing(n: int) -> None:
    assert not differ(people(n), people(n).reverse())


def test_other_columns_and_nested_ones_are_passed_over() -> None:
    before = people().with_columns(tags=pl.concat_list("age", "age"))
    assert not differ(before, before.rename({"age": "years"}))
    assert not differ(before.select("tags"), before.select("tags").reverse())
    assert not differ(before, before.select(pl.lit(1).alias("other").repeat_by(1).explode()))


def test_missing_cells_and_constants_are_values() -> None:
    frame = people().with_columns(
        age=pl.when(pl.col("age") < 30).then(None).otherwise("age"), one=pl.lit(1)
    )
    assert not differ(frame, frame)
    assert differ(frame, frame.sample(fraction=1, shuffle=True, seed=3))
