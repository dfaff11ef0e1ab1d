from __future__ import annotations

from math import prod

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.utility.ambiguity import Ambiguity

cells = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=2, max_size=12)


@settings(max_examples=40)
@given(cells, st.data())
def test_each_record_could_be_the_product_of_what_its_cells_cover(
    rows: list[tuple[str, str]], data: st.DataObject
) -> None:
    stars = data.draw(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=len(rows)))
    before = pl.DataFrame(rows, schema=["one", "two"], orient="row")
    after = pl.DataFrame(
        [
            tuple("*" if star else cell for cell, star in zip(row, starred, strict=True))
            for row, starred in zip(rows, stars, strict=False)
        ],
        schema=["one", "two"],
        orient="row",
    )
    sizes = [before[name].n_unique() for name in before.columns]
    combinations = [
        prod(size if cell == "*" else 1 for cell, size in zip(row, sizes, strict=True))
        for row in after.rows()
    ]
    most = prod(sizes)
    expected = sum(one - 1 for one in combinations) / (len(rows) * (most - 1)) if most > 1 else 0.0
    assert Ambiguity().measure(before, after).value == pytest.approx(expected, abs=1e-12)


def test_a_removed_record_could_be_any() -> None:
    before = pl.DataFrame({"x": ["a", "b", "c", "d"]})
    assert Ambiguity().measure(before, before.head(3), aligned=False).value == pytest.approx(1 / 4)


def test_many_columns_of_many_values_do_not_overflow() -> None:
    before = pl.DataFrame({f"c{i}": [str(n) for n in range(20)] for i in range(300)})
    after = before.with_columns(pl.lit("*").alias(name) for name in before.columns)
    score = Ambiguity().measure(before, after)
    assert score.value == pytest.approx(1)
    assert score.parts["mean_log10"] == pytest.approx(300 * 1.30103, rel=1e-6)
