"""Linkage under other distances, beside all pairs weighed one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError, SpecError

NAMES = ("x", "y", "town")
cells = st.tuples(st.integers(0, 5), st.integers(0, 4), st.sampled_from("abc"))
pairs = st.lists(st.tuples(cells, cells), min_size=3, max_size=14)


def frames(table: list[tuple[Any, Any]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    schema = {"x": pl.Float64, "y": pl.Float64, "town": pl.String}
    sides = zip(*table, strict=True)
    before, after = (pl.DataFrame(list(side), schema=schema, orient="row") for side in sides)
    return before, after


def apart(first: Any, second: Any, distance: str, after: pl.DataFrame) -> float:
    """One pair's distance by its formula; columns that are constant in the release say nothing."""
    total = 0.0
    for j, name in enumerate(NAMES):
        column = after[name]
        if column.n_unique() == 1:
            continue
        if name == "town":
            total += float(first[j] != second[j])
            continue
        values = column.to_numpy()
        unit = np.ptp(values) if distance == "gower" else values.std(ddof=1)
        total += abs(first[j] - second[j]) / unit
    return total


@pytest.mark.parametrize("distance", ["manhattan", "gower"])
@given(table=pairs)
@settings(max_examples=60, deadline=None)
def test_sums_of_differences_link_as_all_pairs_do(distance: str, table: Any) -> None:
    before, after = frames(table)
    if any(before[name].n_unique() == 1 < after[name].n_unique() for name in NAMES):
        return  # a column that is constant before says nothing either
    score = mv.RecordLinkage.parse(
        {"distance": distance, "links": True, "worst_columns": False}
    ).measure(before, after)
    links = score.frames["links"]
    assert score.records is not None
    for i, first in enumerate(before.rows()):
        distances = np.array([apart(first, row, distance, after) for row in after.rows()])
        nearest = np.flatnonzero(np.isclose(distances, distances.min(), rtol=1e-9, atol=1e-12))
        assert score.records[i] == pytest.approx(1 / len(nearest) if i in nearest else 0)
        assert links["released"][i] in nearest
        assert links["n_equally_near"][i] == len(nearest)


def test_mahalanobis_is_the_euclidean_distance_of_whitened_numbers() -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(size=(60, 1))
    original = np.hstack([base + 0.2 * rng.normal(size=(60, 1)), base, rng.normal(size=(60, 1))])
    released = original + 0.3 * rng.normal(size=original.shape)
    before, after = (pl.DataFrame(side, schema=["a", "b", "c"]) for side in (original, released))
    inverse = np.linalg.inv(np.cov(released, rowvar=False))
    gaps = original[:, None, :] - released[None, :, :]
    distances = np.einsum("ijk,kl,ijl->ij", gaps, inverse, gaps)
    expected = (distances.argmin(axis=1) == np.arange(60)).mean()
    found = mv.RecordLinkage(distance="mahalanobis", links=True, worst_columns=False).measure(
        before, after
    )
    assert found.value == pytest.approx(expected)
    assert found.frames["links"]["released"].to_list() == distances.argmin(axis=1).tolist()


def test_mahalanobis_passes_over_columns_that_others_determine() -> None:
    frame = {"x": [1.0, 2.0, 5.0, 9.0], "y": [2.0, 4.0, 10.0, 18.0]}
    assert mv.RecordLinkage(distance="mahalanobis").measure(frame, frame).value == 1.0


def test_labels_are_read_under_sums_of_differences_too() -> None:
    before = {"age": [31, 47, 52], "town": ["a", "b", "b"]}
    after = {"age": ["[30, 39]", "[40, 49]", "[50, 59]"], "town": ["a", "b", "b"]}
    for distance in ("manhattan", "gower"):
        assert mv.RecordLinkage.parse({"distance": distance}).measure(before, after).value == 1.0


def test_a_missing_number_is_as_far_as_two_drawn_at_random() -> None:
    before = {"x": [1.0, 9.0, 5.0, None]}
    after = {"x": [1.0, 9.0, None, None]}
    score = mv.RecordLinkage(distance="manhattan", standardize="none").measure(before, after)
    # 5 is 4 from both numbers and as far from a gap: half their distance of 8.
    assert score.records is not None
    assert score.records.tolist() == [1.0, 1.0, 0.25, 0.5]


def test_the_course_s_table_10_is_shown() -> None:
    before = {"a": [10, 0, 30, 20, 30], "b": [33.4, 28.9, 10.3, 80, 59]}
    before["c"] = [1000, 1010, 922, 20200, 15320]
    after = {"a": [0, 0, 0, 20, 20], "b": [20.0, 20, 20, 70, 70], "c": [900] * 3 + [20000] * 2}
    score = mv.RecordLinkage(standardize="none", links=True).measure(before, after)
    assert score.frames["links"]["released"].to_list() == [0, 0, 0, 3, 3]
    assert score.frames["links"]["n_equally_near"].to_list() == [3, 3, 3, 2, 2]
    one_to_one = mv.RecordLinkage(method="assignment", links=True).measure(before, after)
    assert sorted(one_to_one.frames["links"]["released"].to_list()) == [0, 1, 2, 3, 4]


def test_links_are_shown_only_when_asked_for() -> None:
    assert not mv.RecordLinkage().measure({"x": [1, 2]}, {"x": [1, 2]}).frames


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(SpecError, match="goes with"):
        mv.RecordLinkage(method="probabilistic", distance="gower")
    with pytest.raises(SpecError, match="its own unit"):
        mv.RecordLinkage(distance="gower", standardize="sd")
    with pytest.raises(ColumnError, match="covariances"):
        mv.RecordLinkage(distance="mahalanobis", weights={"x": 2}).measure(
            {"x": [1, 2]}, {"x": [1, 2]}
        )
