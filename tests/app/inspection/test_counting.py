from __future__ import annotations

from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.app.inspection.counting import column_counts, joint_counts

CELLS = st.lists(st.sampled_from(["a", "b", "c", "d", None]), max_size=30)


@given(CELLS)
def test_counts_agree_with_plain_counting(cells: list[str | None]) -> None:
    counts = column_counts(pl.Series("x", cells, dtype=pl.String))
    often = Counter(cells)
    pairs = list(combinations(cells, 2))
    apart = sum(one != other for one, other in pairs)
    assert counts.n_missing == often[None]
    assert counts.n_distinct == len(set(cells) - {None})
    assert counts.n_unique == sum(times == 1 for times in often.values())
    assert counts.distinction == pytest.approx(len(often) / len(cells) if cells else 0)
    assert counts.separation == pytest.approx(apart / len(pairs) if pairs else 0)


@given(CELLS)
def test_a_column_counts_the_same_alone_and_as_a_set_of_one(cells: list[str | None]) -> None:
    frame = pl.DataFrame({"x": pl.Series(cells, dtype=pl.String)})
    if frame.height:
        alone, joint = column_counts(frame["x"]), joint_counts(frame, ["x"])
        assert (alone.n_classes, alone.n_unique) == (joint.n_classes, joint.n_unique)
        assert alone.separation == joint.separation


@given(CELLS, st.randoms(use_true_random=False))
def test_a_second_column_never_tells_fewer_records_apart(
    cells: list[str | None], random: object
) -> None:
    other = sorted(cells, key=lambda _: random.random())  # type: ignore[attr-defined]
    schema = {"x": pl.String, "y": pl.String}
    frame = pl.DataFrame({"x": cells, "y": other}, schema=schema)
    if frame.height:
        together = joint_counts(frame, ["x", "y"])
        assert together.separation >= column_counts(frame["x"]).separation
        assert together.n_classes >= column_counts(frame["x"]).n_classes


def test_nested_cells_are_only_counted_as_missing_or_not() -> None:
    counts = column_counts(pl.Series([[1], None, [1]]))
    assert (counts.n_records, counts.n_missing, counts.n_distinct) == (3, 1, 0)
