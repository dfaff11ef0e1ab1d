from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError
from microveil.risk.interval_disclosure import IntervalDisclosure, _standardize
from microveil.statistics.mcd import reweighted_moments
from microveil.tables import Roles, Table

DATA = Path(__file__).parents[1] / "data"

# sdcMicro 5.8.1, dRisk(x, xm, k) and dRiskRMD(x, xm, k = .01, k2 = .05).
REFERENCE = {
    ("CASCrefmicrodata", "mdav3"): {0.01: 0.0, 0.05: 0.0, 0.1: 0.00277777777777778},
    ("Tarragona", "mdav3"): {0.01: 0.0, 0.05: 0.0455635491606715, 0.1: 0.258992805755396},
    ("Tarragona", "noise10"): {0.01: 0.0, 0.05: 0.0, 0.1: 0.00959232613908873},
}


def original(name: str) -> pl.DataFrame:
    return pl.read_csv(DATA / "casc" / f"{name}.csv").cast(pl.Float64)


def released(name: str, how: str) -> pl.DataFrame:
    if how == "noise10":
        return pl.read_parquet(DATA / "risk" / "Tarragona_noise10_seed123.parquet")
    return pl.read_csv(DATA / "casc" / f"{name}_{how}.csv").cast(pl.Float64)


@pytest.mark.parametrize(("name", "how"), list(REFERENCE))
def test_the_joint_share_is_sdcmicro_s(name: str, how: str) -> None:
    for k, expected in REFERENCE[name, how].items():
        score = IntervalDisclosure(k=k).measure(original(name), released(name, how))
        assert score.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("how", "risk", "weighted"),
    [
        ("noise10", 0.396882494004796, 166.662015069121),
        ("mdav3", 0.370503597122302, 89.3147412752218),
    ],
)
def test_robust_distances_are_sdcmicro_s_from_the_same_half(
    how: str, risk: float, weighted: float
) -> None:
    # Which half FAST-MCD ends in depends on its random starts; this is the one R found.
    before = _standardize(original("Tarragona").to_numpy())
    after = _standardize(released("Tarragona", how).to_numpy())
    core = json.loads((DATA / "risk" / "tarragona_mcd_core.json").read_text())
    found = reweighted_moments(before, before[core])
    assert found is not None
    widths = 0.05 * np.sqrt(found.distances(before, before.mean(axis=0)))
    unsafe = (np.abs(after - before) < 0.01 * widths[:, None]).any(axis=1)
    assert unsafe.mean() == pytest.approx(risk, rel=1e-9)
    assert unsafe.sum() * widths[unsafe].sum() / 834 == pytest.approx(weighted, rel=1e-9)


@pytest.mark.parametrize(
    ("how", "risk", "isolated"), [("noise10", 0.397, 0.397), ("mdav3", 0.371, 0)]
)
def test_the_whole_robust_measure_is_near_sdcmicro_s(
    how: str, risk: float, isolated: float
) -> None:
    measure = IntervalDisclosure(k=0.01, around="robust_distance")
    score = measure.measure(original("Tarragona"), released("Tarragona", how))
    assert score.value == pytest.approx(risk, abs=0.015)
    assert score.parts["isolated"] == pytest.approx(isolated, abs=0.015)
    assert score.records is not None
    assert score.records.mean() == pytest.approx(score.value)


def test_columns_that_add_up_have_no_robust_distances() -> None:
    frame = original("CASCrefmicrodata")
    with pytest.raises(InputError, match="are collinear"):
        IntervalDisclosure(around="robust_distance").measure(frame, frame)


cells = st.lists(
    st.tuples(*[st.one_of(st.none(), st.integers(-9, 9))] * 4), min_size=2, max_size=25
)


@given(cells, st.sampled_from([0.0, 0.1, 0.5, 1.0]))
@settings(max_examples=60, deadline=None)
def test_joint_and_single_shares_are_those_of_a_plain_count(
    rows: list[tuple[int | None, ...]], k: float
) -> None:
    names = ["a", "b"]
    schema = dict.fromkeys(names, pl.Float64)
    before = pl.DataFrame([row[:2] for row in rows], schema=schema, orient="row")
    after = pl.DataFrame([row[2:] for row in rows], schema=schema, orient="row")
    score = IntervalDisclosure(k=k).measure(before, after)
    disclosed = []
    for number in range(len(rows)):
        inside = []
        for name in names:
            x, y = before[name][number], after[name][number]
            if x is not None and y is not None:
                width = k * (after[name].std() or 0.0)
                inside.append(y - width - 1e-12 <= x <= y + width + 1e-12)
        disclosed.append(bool(inside) and all(inside))
    assert score.records is not None
    assert score.records.tolist() == [float(flag) for flag in disclosed]
    assert score.value == pytest.approx(np.mean(disclosed))


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=25),
    st.sampled_from([0.0, 0.1, 0.3]),
)
@settings(max_examples=60, deadline=None)
def test_rank_intervals_reach_so_many_ranks_down_and_up(
    rows: list[tuple[int, int]], k: float
) -> None:
    x, y = (np.array(side) for side in zip(*rows, strict=True))
    score = IntervalDisclosure(k=k, around="ranks").measure({"x": x}, {"x": y})
    ranked, reach = sorted(y.tolist()), int(k * len(y) + 1e-9)
    for number in range(len(y)):
        places = [place for place, value in enumerate(ranked) if value == y[number]]
        low = ranked[max(places[0] - reach, 0)]
        high = ranked[min(places[-1] + reach, len(ranked) - 1)]
        assert score.records is not None
        assert bool(score.records[number]) == (low <= x[number] <= high)


def test_an_identical_release_discloses_everything_and_a_far_one_nothing() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 4.0], "y": [3.0, 3.0, 3.0]})
    for around in ("sd", "ranks"):
        measure = IntervalDisclosure(around=around)
        assert measure.measure(frame, frame).value == 1
        assert measure.measure(frame, frame + 1000).value == 0


def test_a_single_column_can_be_asked_for() -> None:
    before, after = {"x": [1.0, 2, 3], "y": [1.0, 2, 3]}, {"x": [1.0, 2, 3], "y": [9.0, 8, 7]}
    score = IntervalDisclosure(joint=False).measure(before, after)
    assert score.value == 1
    assert score.parts["columns"] == {"x": 1.0, "y": 0.0}
    assert score.parts["joint"] == 0


def test_a_missing_cell_narrows_nothing_down_and_an_empty_record_is_not_disclosed() -> None:
    before = {"x": [1.0, 2.0, None], "y": [5.0, None, None]}
    score = IntervalDisclosure().measure(before, {"x": [1.0, 2.0, 3.0], "y": [5.0, 6.0, 7.0]})
    assert score.records is not None
    assert score.records.tolist() == [1, 1, 0]


@pytest.mark.parametrize("around", ["sd", "ranks", "robust_distance"])
def test_no_row_one_row_and_no_column_of_numbers_are_fine(around: str) -> None:
    measure = IntervalDisclosure.parse({"name": "interval_disclosure", "around": around})
    empty = pl.DataFrame({"x": []}, schema={"x": pl.Float64})
    assert measure.measure(empty, empty).value == 0
    one = measure.measure({"x": [1.0]}, {"x": [1.0]})
    assert one.value in (0, 1)
    assert measure.measure({"x": ["a"]}, {"x": ["a"]}).value == 0


def test_the_release_s_rows_find_their_originals() -> None:
    frame = pl.DataFrame({"x": [0.0, 10.0, 20.0, 30.0]})
    mixed = Table(frame[[2, 0]], Roles(), np.array([2, 0]))
    assert IntervalDisclosure().measure(frame, mixed).value == 1
    with pytest.raises(InputError, match="cannot be paired"):
        IntervalDisclosure().measure(frame, frame[[2, 0]])


def test_columns_that_cannot_be_looked_at_are_named_without_a_value() -> None:
    with pytest.raises(ColumnError, match="'x' does not hold numbers"):
        IntervalDisclosure(columns="x").measure({"x": ["secret"]}, {"x": ["secret"]})
    # An infinite number is beyond the finite ones, and takes no column away.
    assert IntervalDisclosure().measure({"x": [np.inf]}, {"x": [1.0]}).parts["columns"] == {"x": 0}
