from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError, InputError, SpecError
from microveil.pairs.known_columns import paired
from microveil.risk.linkage import assignment
from microveil.risk.linkage.fellegi_sunter import agreement_comparison
from microveil.risk.record_linkage import RecordLinkage
from microveil.tables import Roles, Table

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


def linked(first: Any, second: Any, **parameters: Any) -> float:
    return RecordLinkage(**parameters).measure(first, second).value


@pytest.mark.parametrize("unit", ["none", "sd", "range", "robust"])
def test_the_course_s_examples_link_60_and_40_per_cent(unit: str) -> None:
    assert linked(X, NOISY, standardize=unit) == pytest.approx(0.6)
    assert linked(X, GROUPED, standardize=unit) == pytest.approx(0.4)


def test_the_course_s_links_are_2_1_3_4_5() -> None:
    score = RecordLinkage(standardize="none").measure(X, NOISY)
    assert score.records is not None
    assert score.records.tolist() == [0, 0, 1, 1, 1]


METHODS: list[dict[str, Any]] = [
    {"method": "distance"},
    {"method": "assignment"},
    {"method": "probabilistic"},
    {"method": "probabilistic", "one_to_one": True},
]
methods = pytest.mark.parametrize(
    "parameters", METHODS, ids=lambda p: "-".join(map(str, p.values()))
)


def people(n: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(0, 90, n),
            "pay": rng.lognormal(8, 1, n),
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice([f"t{number}" for number in range(20)], n),
            "born": pl.Series(rng.integers(0, 20_000, n).astype(np.int32)).cast(pl.Date),
        }
    )


@methods
def test_an_identical_release_is_linked_completely(parameters: dict[str, Any]) -> None:
    frame = people(300)
    assert linked(frame, frame, **parameters, agree_within=0) == 1


@methods
def test_twins_share_the_chance_of_a_link(parameters: dict[str, Any]) -> None:
    frame = pl.DataFrame({"x": [1, 1, 1, 1, 5, 9], "y": ["a", "a", "b", "b", "b", "b"]})
    score = RecordLinkage(**parameters, agree_within=0).measure(frame, frame)
    assert score.records is not None
    assert score.records.tolist() == [0.5, 0.5, 0.5, 0.5, 1, 1]


@methods
def test_a_permuted_release_is_linked_at_chance(parameters: dict[str, Any]) -> None:
    frame = people(400)
    rng = np.random.default_rng(7)
    values = [
        linked(frame, frame[rng.permutation(400)], **parameters, columns=["age", "pay", "town"])
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


cell = st.one_of(st.none(), st.integers(0, 4))
row = st.tuples(cell, st.one_of(st.none(), st.sampled_from("abc")), st.integers(0, 6))


@given(
    st.lists(st.tuples(row, row), min_size=1, max_size=20),
    st.sampled_from(["sd", "range", "none"]),
    st.sampled_from([0.5, 1.0, 4.0]),
)
@settings(max_examples=80, deadline=None)
def test_distance_linkage_is_that_of_all_pairs(
    rows: list[tuple[tuple[Any, ...], tuple[Any, ...]]], unit: str, weight: float
) -> None:
    schema = {"n": pl.Float64, "c": pl.String, "m": pl.Float64}
    before, after = (
        pl.DataFrame([pair[side] for pair in rows], schema=schema, orient="row") for side in (0, 1)
    )
    measure = RecordLinkage(standardize=unit, weights={"n": weight})
    score = measure.measure(before, after)
    n = len(rows)
    squares = np.zeros((n, n))
    for name in schema:
        x, y = before[name].to_list(), after[name].to_list()
        if len(set(x)) < 2 or len(set(y)) < 2:
            continue
        squares += _column_squares(x, y, unit) * (weight if name == "n" else 1)
    own = np.diag(squares)
    limit = own * (1 + 1e-9) + 1e-20
    ties = (squares <= limit[:, None]).sum(axis=1)
    beaten = (squares < (own * (1 - 1e-9) - 1e-20)[:, None]).any(axis=1)
    assert score.records is not None
    assert score.records == pytest.approx(np.where(beaten, 0, 1 / ties))


def _column_squares(x: list[Any], y: list[Any], unit: str) -> np.ndarray:
    there = [value for value in y if value is not None]
    scale: float = 1.0
    missing: float = 0.0
    if there and isinstance(there[0], str):
        shares = np.array([there.count(value) for value in set(there)]) / len(there)
        missing = float(1 - (shares**2).sum())
    elif there:
        scales = {
            "sd": np.std(there, ddof=1) if len(there) > 1 else 1.0,
            "range": np.ptp(there),
            "none": 1.0,
        }
        scale = float(scales[unit])
        scale = scale if scale > 0 else 1.0
        missing = 2 * float(np.var(np.array(there) / scale))
    found = np.zeros((len(x), len(y)))
    for i, first in enumerate(x):
        for k, second in enumerate(y):
            if first is None or second is None:
                found[i, k] = 0 if first is second else missing
            elif isinstance(first, str):
                found[i, k] = first != second
            else:
                found[i, k] = ((first - second) / scale) ** 2
    return found


@given(
    st.lists(st.tuples(*[st.integers(0, 30)] * 4), min_size=1, max_size=6, unique=True),
    st.integers(0, 5),
)
@settings(max_examples=40, deadline=None)
def test_an_assignment_is_the_cheapest_of_all_permutations(
    rows: list[tuple[int, ...]], jitter: int
) -> None:
    x, y = np.array(rows)[:, :2] + 0.0, np.array(rows)[:, 2:] + 0.001 * jitter
    schema = ["a", "b"]
    measure = RecordLinkage(method="assignment", standardize="none")
    score = measure.measure(pl.DataFrame(x, schema=schema), pl.DataFrame(y, schema=schema))
    used = [j for j in range(2) if len(set(x[:, j])) > 1 and len(set(y[:, j])) > 1]
    costs = ((x[:, None, used] - y[None, :, used]) ** 2).sum(axis=2)
    totals = {
        order: costs[range(len(x)), order].sum() for order in itertools.permutations(range(len(x)))
    }
    best = [order for order, total in totals.items() if total <= min(totals.values()) + 1e-9]
    if len(best) == 1 and used:
        right = [float(place == number) for number, place in enumerate(best[0])]
        assert score.records is not None
        assert score.records.tolist() == right


def test_a_large_assignment_among_neighbours_is_near_the_exact_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = people(400).select("age", "pay", "town")
    noisy = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.1).protect(frame, seed=4)
    exact = RecordLinkage(method="assignment").measure(frame, noisy)
    monkeypatch.setattr(assignment, "EXACT", 10)
    near = RecordLinkage(method="assignment").measure(frame, noisy)
    assert exact.parts["exact"]
    assert not near.parts["exact"]
    assert near.value == pytest.approx(exact.value, abs=0.02)
    assert near.parts["n_unlinked"] < 10
    assert RecordLinkage(method="assignment").measure(frame, frame).value == 1
    monkeypatch.setattr(assignment, "MOST", 100)
    with pytest.raises(InputError, match="Measure a sample"):
        RecordLinkage(method="assignment").measure(frame, noisy)


def test_one_to_one_links_more_than_the_nearest() -> None:
    frame = people(500).select("age", "pay")
    noisy = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.1).protect(frame, seed=4)
    assert linked(frame, noisy, method="assignment") > linked(frame, noisy)


def test_em_finds_how_often_columns_agree_without_seeing_the_truth() -> None:
    rng = np.random.default_rng(2)
    n, kept = 1500, {"a": 0.9, "b": 0.7, "c": 0.95, "d": 0.8}
    frame = pl.DataFrame({name: rng.integers(0, 30, n).astype(str) for name in kept})
    changed = frame.with_columns(
        pl.when(pl.Series(rng.random(n) < share))
        .then(pl.col(name))
        .otherwise(pl.Series(rng.integers(0, 30, n).astype(str)))
        .alias(name)
        for name, share in kept.items()
    )
    score = RecordLinkage(method="probabilistic").measure(frame, changed)
    found = score.frames["agreement"]
    for name, share in kept.items():
        row = found.row(by_predicate=pl.col("column") == name, named=True)
        agreed = (frame[name] == changed[name]).to_numpy().mean()
        assert row["m"] == pytest.approx(agreed, abs=0.05), share
        assert row["u"] == pytest.approx(1 / 30, abs=0.005)
    assert score.value > 0.7


def test_probabilistic_links_go_to_the_largest_weight() -> None:
    frame = people(80, 5)
    noisy = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.2).protect(frame, seed=4)
    noisy = mv.Pram(columns=["town"], retention=0.7).protect(noisy, seed=5)
    score = RecordLinkage(method="probabilistic").measure(frame, noisy)
    pair = paired(Table(frame), Table(noisy), ())
    found = agreement_comparison(pair, "sd", 0.1, {}, {}).described
    weights = np.zeros((80, 80))
    for name, lost in found.select("column", "lost").iter_rows():
        x, y = frame[name], noisy[name]
        if x.dtype == pl.String:
            agree = x.to_numpy()[:, None] == y.to_numpy()[None]
        else:
            x, y = (side.to_physical().cast(pl.Float64) for side in (x, y))
            spread = y.std()
            assert isinstance(spread, float)
            agree = np.abs(x.to_numpy()[:, None] - y.to_numpy()[None]) <= 0.1 * spread
        weights += agree * lost
    own = np.diag(weights)
    beaten = (weights > own[:, None] + 1e-6).any(axis=1)
    ties = (weights >= own[:, None] - 1e-6).sum(axis=1)
    assert score.records == pytest.approx(np.where(beaten, 0, 1 / ties))


def test_a_hierarchy_makes_a_generalised_value_near_to_what_it_stands_for() -> None:
    tree = {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}
    frame = pl.DataFrame({"town": ["a", "b", "c", "d"], "x": [0, 1, 1, 2]})
    general = frame.with_columns(town=pl.Series(["north", "b", "south", "*"]))
    plain = RecordLinkage(weights={"x": 0}).measure(frame, general)
    assert plain.records is not None
    # Nobody can read north and south without the hierarchy; * may stand for all four.
    assert plain.records.tolist() == [0, 1, 0, 1]
    measure = RecordLinkage.parse(
        {"name": "record_linkage", "weights": {"x": 0}, "hierarchies": {"town": tree}}
    )
    # a: north and b are one level up, * two; b: itself; c: south; d: south is nearer than *.
    found = measure.measure(frame, general).records
    assert found is not None
    assert found.tolist() == [0.5, 1, 1, 0]
    agreeing = RecordLinkage.parse(measure.to_dict() | {"method": "probabilistic"})
    assert agreeing.measure(frame, general).value > 0.25


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
    with pytest.raises(ColumnError, match="'x' holds infinite"):
        RecordLinkage(columns="x").measure({"x": [np.inf]}, {"x": [1.0]})
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


def test_a_column_that_changed_its_kind_is_compared_as_text() -> None:
    frame = pl.DataFrame({"x": [1, 2, 3]})
    assert linked(frame, frame.with_columns(pl.col("x").cast(pl.String))) == 1


def test_a_smaller_weight_hides_a_telling_column() -> None:
    before = {"a": [0.0, 1, 2, 3], "b": [0.0, 1, 2, 3]}
    after = {"a": [0.0, 1, 2, 3], "b": [3.0, 2, 1, 0]}
    assert linked(before, after, weights={"b": 0.01}) == 1
    assert linked(before, after, weights={"a": 0.01}) == 0
