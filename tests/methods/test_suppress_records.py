from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError, InputError, RolesError, SpecError
from microveil.methods.parts.base import Outcome
from microveil.methods.suppress_records import SuppressRecords
from microveil.tables import Classes, Roles, Table

KEYS = Roles(quasi_identifiers=["a", "b"])
cells = st.sampled_from([1, 2, 3]) | st.none()
records = st.lists(st.tuples(cells, cells), max_size=30)


def table_of(rows: list[tuple[int | None, int | None]], roles: Roles = KEYS) -> Table:
    schema = {"a": pl.Int64, "b": pl.Int64}
    return Table(pl.DataFrame(rows, schema=schema, orient="row"), roles)


def suppressed(table: Table, **how: Any) -> Outcome:
    return SuppressRecords(**how).apply(table, np.random.default_rng(0))


@given(records, st.integers(2, 4), st.sampled_from(["category", "wildcard"]))
def test_suppression_only_removes_and_reaches_k(
    rows: list[tuple[int | None, int | None]], k: int, missing: Any
) -> None:
    before = table_of(rows)
    after = suppressed(before, k=k, missing=missing)
    kept = np.arange(before.height) if after.table.rows is None else after.table.rows
    assert after.table.frame.equals(before.frame[kept])
    assert (np.diff(kept) > 0).all()
    assert after.table.height == 0 or Classes.of(after.table, missing=missing).k >= k
    assert after.facts["n_suppressed"] == before.height - after.table.height


@given(records, st.integers(2, 4))
def test_no_record_of_a_large_class_goes(rows: list[tuple[int | None, int | None]], k: int) -> None:
    after = suppressed(table_of(rows), k=k).table.frame.rows()
    assert after == [row for row in rows if rows.count(row) >= k]


def test_a_removal_that_breaks_another_class_is_followed_up() -> None:
    # (1, ·) matches (1, 2) and so makes both pairs; (2, 2) stands alone. With k = 3 the first
    # pass removes (1, 2) and (2, 2), and leaves (1, ·) without a match.
    before = table_of([(1, None), (1, 2), (1, 3), (2, 2)])
    first = Classes.of(before, missing="wildcard")
    once = before.filter(first.of_records(first.sizes) >= 3)
    assert 0 < once.height < before.height
    assert Classes.of(once, missing="wildcard").k < 3
    assert suppressed(before, k=3, missing="wildcard").table.height == 0


def test_every_scenario_is_seen_to() -> None:
    roles = Roles(quasi_identifiers=["a"], scenarios={"neighbour": ["b"]})
    rows: list[tuple[int | None, int | None]] = [(1, 1), (1, 2), (2, 2), (2, 2), (2, 3)]
    after = suppressed(table_of(rows, roles), k=2).table
    assert after.frame.rows() == [(2, 2), (2, 2)]


def test_people_are_counted_where_a_person_has_several_rows() -> None:
    roles = Roles(quasi_identifiers=["a"], entity="b")
    rows: list[tuple[int | None, int | None]] = [(1, 1), (1, 1), (2, 1), (2, 2)]
    assert suppressed(table_of(rows, roles), k=2).table.height == 0  # 1 has both, 2 has one
    unlinked = table_of(rows, roles).drop(["b"])
    assert suppressed(unlinked, k=2).table.frame.rows() == [(2,), (2,)]


def test_the_acceptable_k_follows_the_records_that_are_left() -> None:
    # 51,003 records call for classes of 7. Without the class of 5 they are 50,998, which call
    # for classes of 10, so that the class of 8 goes too.
    keys = pl.Series("a", [1] * 50_990 + [2] * 8 + [3] * 5)
    after = SuppressRecords(k="acceptable", columns="a").protect(keys.to_frame())
    assert after["a"].to_list() == [1] * 50_990


def test_named_columns_take_the_place_of_the_roles() -> None:
    frame = {"a": [1, 1, 2]}
    assert SuppressRecords(k=2, columns="a").protect(frame)["a"].to_list() == [1, 1]


def test_losing_too_much_is_an_error_that_names_the_share() -> None:
    before = table_of([(1, 1), (1, 1), (2, 2), (3, 3)])
    message = r"remove 2 of 4 records \(50%\), more than max_share allows \(20%\)"
    with pytest.raises(InputError, match=message):
        suppressed(before, k=2, max_share=0.2)
    assert suppressed(before, k=2, max_share=0.5).facts == {
        "n_suppressed": 2,
        "suppressed_share": 0.5,
    }


def test_keys_must_be_known() -> None:
    with pytest.raises(RolesError, match="name quasi_identifiers in the roles"):
        SuppressRecords(k=2).protect({"a": [1]})
    with pytest.raises(ColumnError, match="No column 'c'"):
        SuppressRecords(k=2, columns="c").protect({"a": [1]})


def test_every_kind_of_key_is_counted(any_column: pl.Series) -> None:
    after = SuppressRecords(k=2, columns="x").protect(any_column.to_frame())
    counts = {value: any_column.to_list().count(value) for value in any_column.to_list()}
    assert after["x"].to_list() == [x for x in any_column.to_list() if counts[x] >= 2]


def test_nested_keys_are_refused(nested: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match="nested"):
        SuppressRecords(k=2, columns="x").protect(nested)


def test_an_empty_table_stays_empty() -> None:
    assert suppressed(table_of([]), k=2, max_share=0.0).table.height == 0


def test_pandas_rows_keep_their_index() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 2, 2]}, index=["p", "q", "r"])
    assert list(SuppressRecords(k=2, columns="a").protect(frame).index) == ["q", "r"]


def test_weights_can_be_raised_for_those_who_went() -> None:
    frame = {"a": [1, 1, 1, 2, 3, 3, 4], "w": [1.0, 2, 3, 4, 5, 5, 9], "s": [1, 1, 1, 1, 2, 2, 3]}
    table = Table(frame, Roles(quasi_identifiers=["a"], weight="w", strata=["s"]))
    plain = suppressed(table, k=2)
    assert plain.table.frame["w"].to_list() == [1, 2, 3, 5, 5]
    raised = suppressed(table, k=2, recalibrate=True)
    # Stratum 3 is gone: what it stood for is spread over the others.
    factor = 29 / 20
    wanted = [10 / 6 * factor, 20 / 6 * factor, 5 * factor, 5 * factor, 5 * factor]
    assert raised.table.frame["w"].to_list() == pytest.approx(wanted)
    assert raised.facts["weight_recalibrated"] == "w"
    assert raised.facts["n_strata_without_weight"] == 1
    again = suppressed(raised.table, k=3, recalibrate=True)
    assert again.table.frame["w"].sum() == pytest.approx(29)


def test_a_share_lies_between_none_and_all() -> None:
    for share in (-0.1, 1.1):
        with pytest.raises(SpecError, match="max_share"):
            SuppressRecords.parse({"k": 2, "max_share": share})
    table = table_of([(1, 1), (2, 2)])
    assert suppressed(table, k=2, max_share=1).table.height == 0


@pytest.mark.parametrize("k", [1, 0, -3])
def test_a_class_that_stays_has_two_records_at_least(k: int) -> None:
    with pytest.raises(SpecError, match="k"):
        SuppressRecords.parse({"method": "suppress_records", "k": k})


def people_with_illness(n: int = 400) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "age": rng.integers(0, 40, n),
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(list("abcde"), n, p=[0.6, 0.2, 0.1, 0.05, 0.05]),
            "w": np.full(n, 3.0),
        }
    )


GOALS = {
    "l_diversity": mv.LDiversity(l=3, column="ill"),
    "t_closeness": mv.TCloseness(t=0.35, column="ill"),
    "k_map": mv.KMap(k=12),
    "beta_likeness": mv.BetaLikeness(beta=3, column="ill"),
    "alpha_k_anonymity": mv.AlphaKAnonymity(alpha=0.7, k=3, column="ill"),
}


@pytest.mark.parametrize("name", list(GOALS))
def test_records_are_removed_until_a_model_holds(name: str) -> None:
    roles = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["ill"], weight="w")
    step = mv.SuppressRecords(models=[GOALS[name]])
    recipe = mv.Recipe(roles=roles, steps=[step], require=[GOALS[name]])
    release = mv.run(recipe, people_with_illness())
    assert release.holds
    assert not mv.run(recipe.model_copy(update={"steps": ()}), people_with_illness()).holds
    assert 0 < release.table.height < 400


def test_a_goal_is_named() -> None:
    with pytest.raises(mv.SpecError, match="Give k, or models"):
        mv.SuppressRecords.parse({})
