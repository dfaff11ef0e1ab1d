from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from microveil.errors import ColumnError, HierarchyError, SpecError
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Classes, Missing, Roles, Table
from tests.privacy import naive

TREE = {"tree": {"low": [10, 20], "high": [30, 35]}}
SIDES = {10: "low", 20: "low", 30: "high", 35: "high"}


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
@given(table=naive.rows)
@settings(max_examples=30)
def test_it_is_the_cost_of_the_cheapest_transport(
    distance: str, missing: Missing, table: list[naive.Row]
) -> None:
    domain = naive.domain_of(table)

    def apart(i: int, j: int) -> float:
        if i == j:
            return 0
        if distance == "equal":
            return 1
        if distance == "ordered":
            return abs(i - j) / (len(domain) - 1)
        sides = [SIDES.get(domain[x], "missing") for x in (i, j)]  # type: ignore[call-overload]
        return 0.5 if sides[0] == sides[1] else 1

    every = [row[-1] for row in table]
    groups = naive.matching(table) if missing == "wildcard" else naive.groups(table)
    costs = {keys: naive.transport(values, every, domain, apart) for keys, values in groups.items()}
    hierarchy = TREE if distance == "hierarchical" else None
    model = TCloseness.parse(
        {"model": "t_closeness", "t": 0.3, "distance": distance, "hierarchy": hierarchy}
    )
    classes = naive.classes_of(table, missing)
    assert naive.reached(model, classes) == pytest.approx(costs, abs=1e-9)
    check = model.verify(classes)
    assert check.achieved == pytest.approx(max(costs.values()), abs=1e-9)
    assert len(check.broken_in) == sum(cost > 0.3 + 1e-9 for cost in costs.values())


@pytest.mark.parametrize(("salaries", "distance"), [([3, 4, 5], 0.375), ([6, 8, 11], 1 / 6)])
def test_salaries_of_the_paper_are_as_far_as_it_says(salaries: list[int], distance: float) -> None:
    """Li et al. 2007, section 4: nine salaries, from 3 to 11 thousand, in classes of three."""
    rest = [salary for salary in range(3, 12) if salary not in salaries]
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"])
    classes = Classes.of(Table({"q": [0] * 3 + [1] * 6, "s": salaries + rest}, roles))
    at_limit = TCloseness(t=distance, distance="ordered").verify(classes)
    below = TCloseness(t=distance - 1e-9, distance="ordered").verify(classes)
    assert 0 not in at_limit.broken_in
    assert 0 in below.broken_in


def test_a_class_like_the_table_is_at_distance_zero() -> None:
    frame = {"q": [1, 1, 2, 2], "s": [1, 2, 1, 2]}
    check = TCloseness(t=0, column="s").check(frame, Roles(quasi_identifiers=["q"]))
    assert (check.achieved, check.holds) == (0, True)


def test_the_limit_itself_is_allowed_whatever_floats_say() -> None:
    frame = {"q": [0] * 10 + [1] * 10, "s": [0] * 6 + [1] * 4 + [0] * 4 + [1] * 6}
    check = TCloseness(t=0.1, column="s").check(frame, Roles(quasi_identifiers=["q"]))
    assert check.holds


def test_one_value_is_nowhere_to_move_to() -> None:
    for distance in ("equal", "ordered"):
        model = TCloseness(t=0, column="s", distance=distance)
        assert model.check({"q": [1, 2], "s": [5, 5]}, Roles(quasi_identifiers=["q"])).holds


def test_dates_are_ordered_and_text_is_not() -> None:
    roles = Roles(quasi_identifiers=["q"])
    days = [dt.date(2020, 1, 3), dt.date(2020, 1, 1), dt.date(2021, 1, 1), dt.date(2020, 1, 1)]
    model = TCloseness(t=0.5, column="s", distance="ordered")
    assert model.check({"q": [1, 1, 2, 2], "s": days}, roles).achieved == 0.125
    with pytest.raises(ColumnError, match=r"'s' is text.*`order`"):
        model.check({"q": [1, 2], "s": ["x", "y"]}, roles)


def test_text_takes_the_order_it_is_given() -> None:
    frame = {"q": [1, 1, 2, 2], "s": ["low", "middle", "high", None]}
    roles = Roles(quasi_identifiers=["q"])
    order = ("low", "unheard of", "middle", "high")
    given_order = TCloseness(t=0, column="s", distance="ordered", order=order)
    coded = TCloseness(t=0, column="s", distance="ordered")
    numbers = {**frame, "s": [0, 1, 2, None]}
    assert given_order.check(frame, roles).achieved == coded.check(numbers, roles).achieved
    category = pl.DataFrame(frame).with_columns(
        pl.col("s").cast(pl.Enum(["low", "middle", "high"]))
    )
    assert coded.check(category, roles).achieved == coded.check(numbers, roles).achieved
    with pytest.raises(ColumnError, match="1 distinct values are not in `order`"):
        TCloseness(t=0, column="s", distance="ordered", order=("low", "high")).check(frame, roles)


def test_a_value_outside_the_hierarchy_is_an_error_without_the_value() -> None:
    model = TCloseness(t=0.1, column="s", distance="hierarchical", hierarchy=TREE)
    with pytest.raises(HierarchyError, match=r"'s': 1 distinct value") as caught:
        model.check({"s": [10, 77]}, Roles())
    assert "77" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"t": 1.1}, "at most 1"),
        ({"t": 0.1, "distance": "hierarchical"}, "needs a hierarchy"),
        ({"t": 0.1, "hierarchy": TREE}, "needs a hierarchy"),
        ({"t": 0.1, "order": ["x"]}, "an order of values belongs"),
        ({"t": 0.1, "distance": "ordered", "order": ["x", "x"]}, "twice"),
        ({"t": 0.1, "distance": "ordered", "order": ["x"], "column": ["r", "s"]}, "one column"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(wrong: dict[str, object], hint: str) -> None:
    with pytest.raises(SpecError, match=hint):
        TCloseness.parse({"model": "t_closeness", **wrong})


def test_many_values_in_many_classes_need_no_table_of_both() -> None:
    n = 20_000
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"q": rng.integers(0, n // 2, n), "s": rng.permutation(n)})
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"])
    check = TCloseness(t=0.1, distance="ordered").check(frame, roles)
    assert 0.49 < check.achieved <= 0.5


def _apart(distance: str, values: list[object], every: list[object], domain: list[object]) -> float:
    """The distances by their formulas, over the whole domain."""
    p, q = np.array(naive.shares(values, domain)), np.array(naive.shares(every, domain))
    if distance == "total_variation":
        return float(np.abs(p - q).sum() / 2)
    if distance == "hellinger":
        return float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2))
    if distance == "kullback_leibler":
        return float(sum(a * np.log2(a / b) for a, b in zip(p, q, strict=True) if a > 0))
    return float(np.abs(np.cumsum(p) - np.cumsum(q)).max())


OTHERS = ["total_variation", "hellinger", "kullback_leibler", "kolmogorov_smirnov"]


@pytest.mark.parametrize("missing", ["category", "wildcard"])
@pytest.mark.parametrize("distance", OTHERS)
@given(table=naive.rows)
@settings(max_examples=30)
def test_other_distances_are_what_their_formulas_say(
    distance: str, missing: Missing, table: list[naive.Row]
) -> None:
    domain = naive.domain_of(table)
    every = [row[-1] for row in table]
    groups = naive.matching(table) if missing == "wildcard" else naive.groups(table)
    expected = {keys: _apart(distance, values, every, domain) for keys, values in groups.items()}
    model = TCloseness.parse({"t": 0.3, "distance": distance})
    found = naive.reached(model, naive.classes_of(table, missing))
    assert found == pytest.approx(expected, abs=1e-7)  # roots of nearly 0 lose half the digits


def test_bits_may_exceed_one_and_other_distances_may_not() -> None:
    assert TCloseness(t=1.6, distance="kullback_leibler").required == 1.6
    with pytest.raises(SpecError, match="at most 1"):
        TCloseness(t=1.6, distance="hellinger")


def test_text_needs_an_order_for_cumulated_shares() -> None:
    frame = {"q": [0, 0, 1, 1], "s": ["low", "high", "low", "mid"]}
    roles = Roles(quasi_identifiers=["q"], sensitive=["s"])
    with pytest.raises(ColumnError, match="order"):
        TCloseness(t=0.5, distance="kolmogorov_smirnov").check(frame, roles)
    ordered = TCloseness(t=0.5, distance="kolmogorov_smirnov", order=("low", "mid", "high"))
    assert ordered.check(frame, roles).achieved == pytest.approx(0.25)


@pytest.mark.parametrize("distance", OTHERS)
def test_a_search_reaches_closeness_under_every_distance(distance: str) -> None:
    import microveil as mv

    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"age": rng.integers(20, 60, 60), "pay": rng.integers(0, 4, 60)})
    roles = Roles(quasi_identifiers=["age"], sensitive=["pay"])
    model = TCloseness.parse({"t": 0.4, "distance": distance})
    types = {"age": {"hierarchy": "types"}}
    step = mv.OptimalGeneralization.parse({"hierarchies": types, "models": [model.to_dict()]})
    released = step.protect(frame, roles=roles)
    assert model.check(released, roles).holds
