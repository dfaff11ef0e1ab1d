from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError, InputError, SpecError
from microveil.risk.record_linkage import RecordLinkage
from microveil.tables import Roles, Table
from tests.risk.linkage.cases import linked, methods, people

NAMES = ["a", "b", "c"]
X = pl.DataFrame(
    [(10, 33.4, 1000), (0, 28.9, 1010), (30, 10.3, 922), (20, 80.0, 20200), (30, 59.0, 15320)],
    schema=NAMES,
    orient="row",
)
# S1's protected versions: two cases, 60 % and 40 %.
NOISY = pl.DataFrame(
    [(0, 30.2, 1000), (0, 31.2, 1000), (20, 12.0, 1000), (30, 82.1, 20000), (20, 55.2, 15000)],
    schema=NAMES,
    orient="row",
)
GROUPED = pl.DataFrame([(0, 20, 900)] * 3 + [(20, 70, 20000)] * 2, schema=NAMES, orient="row")


@pytest.mark.parametrize("unit", ["none", "sd", "range", "robust"])
def test_the_course_s_examples_link_60_and_40_per_cent(unit: str) -> None:
    parameters: dict[str, Any] = {"standardize": unit, "worst_columns": False}
    assert linked(X, NOISY, **parameters) == pytest.approx(0.6)
    assert linked(X, GROUPED, **parameters) == pytest.approx(0.4)


def test_the_course_s_links_are_2_1_3_4_5() -> None:
    score = RecordLinkage(standardize="none", worst_columns=False).measure(X, NOISY)
    assert score.records is not None
    assert score.records.tolist() == [0, 0, 1, 1, 1]


@methods
def test_an_identical_release_is_linked_completely(parameters: dict[str, Any]) -> None:
    frame = people(300)
    assert linked(frame, frame, **parameters, agree_within=0) == 1


@methods
def test_a_permuted_release_is_linked_at_chance(parameters: dict[str, Any]) -> None:
    frame = people(400)
    rng = np.random.default_rng(7)
    values = [
        linked(
            frame,
            frame[rng.permutation(400)],
            **parameters,
            columns=["age", "pay", "town"],
            worst_columns=False,
        )
        for _ in range(6)
    ]
    # 6 · 400 links with a chance of 1/400 each: 6 expected, more than 18 nearly never.
    assert sum(values) * 400 < 18


@methods
def test_a_constant_release_is_linked_at_chance(parameters: dict[str, Any]) -> None:
    frame = people(50)
    blank = frame.with_columns(pl.col(name).first() for name in frame.columns)
    assert linked(frame, blank, **parameters) == pytest.approx(1 / 50)


@methods
def test_categories_that_tie_for_many_do_not_leak_the_order_of_rows(
    parameters: dict[str, Any],
) -> None:
    frame = pl.DataFrame({"x": ["a"] * 50 + ["b"] * 50, "y": np.arange(100) % 2})
    assert linked(frame, frame, **parameters, agree_within=0) == pytest.approx(0.04)


@methods
def test_row_order_and_units_do_not_matter(parameters: dict[str, Any]) -> None:
    frame = people(120, 3).drop("born")
    noisy = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.3).protect(frame, seed=4)
    noisy = mv.Pram(columns=["town"], retention=0.7).protect(noisy, seed=5)
    one = linked(frame, noisy, **parameters)
    order = np.random.default_rng(1).permutation(120)
    assert linked(frame[order], noisy[order], **parameters) == pytest.approx(one, abs=1e-12)
    units = [pl.col("pay") * 100 - 7, pl.col("age") * 0.125]
    scaled = linked(frame.with_columns(units), noisy.with_columns(units), **parameters)
    assert scaled == pytest.approx(one, abs=1e-12)
    assert 0.1 < one < 1


def test_the_intruder_knows_the_quasi_identifiers_unless_told_otherwise() -> None:
    frame = people(100)
    roles = Roles(quasi_identifiers=["sex"], sensitive=["pay"])
    score = RecordLinkage().measure(frame, frame, roles=roles)
    assert score.parts["n_columns"] == 1
    assert score.value == pytest.approx(2 / 100)
    assert RecordLinkage(columns=["pay"]).measure(frame, frame, roles=roles).value == 1


def test_identifiers_and_weights_are_not_known() -> None:
    frame = people(100).with_columns(key=pl.int_range(100), w=pl.int_range(100) + 0.5)
    frame = frame.select("key", "w", "sex")
    roles = Roles(identifiers=["key"], weight="w")
    assert RecordLinkage().measure(frame, frame, roles=roles).value == pytest.approx(0.02)
    assert RecordLinkage(columns="key").measure(frame, frame, roles=roles).value == 1


def test_rows_find_their_originals_by_the_release_s_own_link() -> None:
    frame = people(60)
    order = np.random.default_rng(0).permutation(60)[:40]
    mixed = Table(frame[order], Roles(), order)
    assert RecordLinkage().measure(frame, mixed).value == 1
    with pytest.raises(InputError, match="cannot be paired"):
        RecordLinkage().measure(frame, frame[order])
    assert RecordLinkage().measure(frame, frame[order[:0]].clear()[:0].vstack(frame)).value == 1


def test_rows_of_one_original_are_right_links_for_each_other() -> None:
    frame = pl.DataFrame({"x": [0.0, 10.0, 20.0]})
    rows = np.array([0, 0, 1, 2])
    released = Table(pl.DataFrame({"x": [1.0, -1.0, 10.0, 9.0]}), Roles(), rows)
    score = RecordLinkage(standardize="none").measure(frame, released)
    assert score.records is not None
    # Both rows of the first original are equally near to it, and both are right.
    assert score.records.tolist() == [1, 1, 1, 0]
    assert score.parts["chance"] == pytest.approx((2 + 2 + 1 + 1) / 16)
    one_to_one = RecordLinkage(method="assignment").measure(frame, released)
    assert one_to_one.records is not None
    assert one_to_one.records.sum() > 0


@methods
@pytest.mark.parametrize("n", [0, 1, 2])
def test_tables_of_hardly_a_row_have_a_score(parameters: dict[str, Any], n: int) -> None:
    frame = people(2).head(n)
    expected = 1.0 if n else 0.0
    assert linked(frame, frame, **parameters) == pytest.approx(expected, abs=0.5 * (n > 1))
    nothing = pl.DataFrame({"x": [None] * n}, schema={"x": pl.Float64})
    assert linked(nothing, nothing, **parameters) == (1 / n if n else 0)


def test_wrong_columns_are_named_and_no_cell_is() -> None:
    with pytest.raises(ColumnError, match="'x'"):
        RecordLinkage(columns="x").measure({"x": [[1]]}, {"x": [[1]]})
    with pytest.raises(ColumnError, match="'z' has a weight"):
        RecordLinkage(weights={"z": 1}).measure(X, NOISY)
    with pytest.raises(SpecError, match="negative"):
        RecordLinkage.parse({"name": "record_linkage", "weights": {"a": -1}})
    with pytest.raises(ColumnError, match="No column 'zz'"):
        RecordLinkage(columns="zz").measure(X, NOISY)
    wide = pl.DataFrame({f"c{j}": [1, 2] for j in range(21)})
    with pytest.raises(InputError, match="at most 20 columns"):
        RecordLinkage(method="probabilistic").measure(wide, wide)
    assert RecordLinkage().measure({"x": [[1], [2]]}, {"x": [[1], [2]]}).value == 0.5
