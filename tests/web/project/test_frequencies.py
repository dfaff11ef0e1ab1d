"""The kept counts say what the library's own classes say."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.tables import Classes, Table
from microveil.web.project.frequencies import DENSE, Frequencies, worst_records

cells = st.one_of(st.none(), st.integers(0, 3))


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(cells, cells, st.sampled_from("abc")), max_size=40))
def test_counts_are_those_of_the_classes(rows: list[tuple[int | None, int | None, str]]) -> None:
    frame = pl.DataFrame(
        rows, schema={"a": pl.Int64, "b": pl.Float64, "c": pl.String}, orient="row", strict=False
    )
    found = Frequencies(frame)
    for keys in (["a"], ["a", "b"], ["c", "a", "b"]):
        classes = Classes.of(Table(frame), keys)
        assert sorted(found.class_sizes(keys)) == sorted(classes.sizes)
        risk = found.of(keys)
        assert (risk.k, risk.n_classes) == (classes.k, classes.n_classes)
        assert sum(n for _, n in risk.sizes) == frame.height


def test_more_combinations_than_fit_an_array_or_a_number_are_counted_too() -> None:
    rng = np.random.default_rng(5)
    n = 3_000
    frame = pl.DataFrame({f"c{i}": rng.integers(0, 2_000, n) for i in range(7)})
    wide = list(frame.columns)
    assert 2_000 ** len(wide) > DENSE
    assert sorted(Frequencies(frame).class_sizes(wide)) == [1] * n
    doubled = pl.concat([frame, frame])
    assert sorted(Frequencies(doubled).class_sizes(wide)) == [2] * n


def test_the_rarest_come_first_whatever_the_columns_are_called() -> None:
    frame = pl.DataFrame({"size": ["x", "x", "y", "z", "z", "z"]})
    assert worst_records(frame, ["size"], 2) == [(1, ("y",)), (2, ("x",))]
