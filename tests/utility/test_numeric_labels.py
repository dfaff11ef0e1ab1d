from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microveil.errors import ColumnError, InputError
from microveil.utility.eigenvalues import Eigenvalues
from microveil.utility.il1 import IL1
from microveil.utility.il1s import IL1s
from microveil.utility.information_loss import InformationLoss
from microveil.utility.mean_divergence import MeanDivergence
from microveil.utility.rank_correlation import RankCorrelation
from microveil.utility.sse import Sse
from microveil.utility.table_counts import TableCounts
from microveil.utility.value_distance import ValueDistance

DATA = Path(__file__).parents[1] / "data"


def tarragona() -> tuple[pl.DataFrame, pl.DataFrame]:
    folder = DATA / "casc"
    before = pl.read_csv(folder / "Tarragona.csv").cast(pl.Float64)
    return before, pl.read_csv(folder / "Tarragona_mdav3.csv").cast(pl.Float64)


def test_mean_divergence_is_the_course_s() -> None:
    before = {
        "v1": [1, 0, 3, 2, 3],
        "v2": [33.4, 28.9, 10.3, 80.0, 59.0],
        "v3": [1000, 1010, 922, 20200, 15320],
    }
    near = {
        "v1": [0, 0, 2, 3, 2],
        "v2": [30.2, 31.2, 12.0, 82.1, 55.2],
        "v3": [1000, 1000, 1000, 20000, 15000],
    }
    far = {
        "v1": [0, 0, 2, 2, 2],
        "v2": [40.0, 20.0, 20.0, 70.0, 50.0],
        "v3": [900, 1000, 900, 20000, 20000],
    }
    assert MeanDivergence().measure(before, near).value == pytest.approx(2563.01, abs=0.005)
    assert MeanDivergence().measure(before, far).value == pytest.approx(2722.62, abs=0.005)
    itself = MeanDivergence(excess=True).measure(before, before)
    assert itself.value == 0
    assert itself.parts["div_avg"] == itself.parts["of_itself"] > 0


def test_il1_eigenvalues_and_their_relatives_are_sdcmicro_s() -> None:
    before, after = tarragona()
    assert IL1().measure(before, after).value == pytest.approx(2929786.89907033, rel=1e-9)
    assert IL1s().measure(before, after).parts["per_cell"] == pytest.approx(
        0.100728323747061, rel=1e-9
    )
    score = Eigenvalues().measure(before, after)
    assert score.value == pytest.approx(4.23229386541742, rel=1e-9)
    assert score.parts["correlation_structure"] == pytest.approx(0.0584310529800712, rel=1e-6)
    assert ValueDistance().measure(before, after).value == pytest.approx(0.99621980806886, rel=1e-9)


def test_robust_eigenvalues_are_near_sdcmicro_s() -> None:
    before, after = tarragona()
    # Both searches start by chance, so no more than the size can agree (sdcMicro: 2.75).
    score = Eigenvalues(robust=True).measure(before, after)
    assert 1.5 < score.value < 4.5
    assert Eigenvalues(robust=True).measure(before, before).value == 0


def test_directions_without_extent_are_left_out() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 200))
    before = pl.DataFrame({"x": x, "y": y, "sum": x + y})
    after = before + pl.DataFrame(rng.normal(size=(200, 3)) * 0.1, schema=before.columns)
    score = Eigenvalues().measure(before, after)
    assert score.parts["n_without_extent"] == 1
    assert 0 < score.value < 1
    with pytest.raises(InputError, match="are collinear"):
        Eigenvalues(robust=True).measure(before, before)


def test_table_counts_are_sdcmicro_s() -> None:
    before, after = (pl.read_csv(DATA / "trs" / f"trs_dat300{end}.csv") for end in ("", "_swapped"))
    score = TableCounts(columns=("nuts2", "national")).measure(before, after)
    assert score.value == pytest.approx(2.04210526315789)
    assert score.parts["root"] == pytest.approx(0.297334132118916)
    assert score.parts["relative"] == pytest.approx(0.198827896196452)
    quantiles = score.frames["quantiles"]
    assert quantiles["relative"].to_list()[-3:] == pytest.approx([0.610909090909091, 1.53, 2])
    assert (score.parts["n_emptied"], score.parts["n_new"]) == (0, 0)


def test_intervals_count_by_their_middle() -> None:
    before = {"age": [31.0, 38.0, 52.0, 57.0]}
    labels = {"age": ["[30, 40)", "[30, 40)", "52", "≥57"]}
    middles = {"age": [35.0, 35.0, 52.0, 57.0]}
    for measure in (IL1s(), IL1(), Sse(), InformationLoss(), RankCorrelation(), Eigenvalues()):
        expected = measure.measure(before, middles).value
        assert measure.measure(before, labels).value == pytest.approx(expected), measure.kind()
    named = IL1s(columns=("age",)).measure(before, labels)
    assert named.value > 0


def test_starred_numbers_are_missing() -> None:
    score = IL1s().measure({"x": [1.0, 2.0, 3.0]}, {"x": ["1", "*", "3"]})
    assert score.value == 0


def test_dates_released_as_intervals_count_by_their_middle() -> None:
    days = {"d": [dt.date(2021, 1, 1), dt.date(2021, 1, 3)]}
    score = InformationLoss(error="mae").measure(days, {"d": ["[2021-01-01, 2021-01-03]"] * 2})
    assert score.value == 1


def test_labels_that_are_no_numbers_are_refused_by_name_only() -> None:
    before, after = {"x": [1, 2]}, {"x": ["low", "high"]}
    assert IL1s().measure(before, after).value == 0
    with pytest.raises(ColumnError, match="'x'"):
        IL1s(columns="x").measure(before, after)
