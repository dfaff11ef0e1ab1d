from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import polars as pl
import pytest

import microveil as mv
from tests.conformance import cases

names = pytest.mark.parametrize("name", list(mv.METHODS.classes))
columns = pytest.mark.parametrize("column", list(cases.COLUMNS))


def apply(method: mv.Method, frame: pl.DataFrame, seed: int = 1) -> mv.Outcome | None:
    """The outcome, or none where the method says clearly that it cannot."""
    try:
        return method.apply(mv.Table(frame, cases.roles()), np.random.default_rng(seed))
    except mv.InputError as error:
        assert len(str(error)) > 20  # noqa: PT017  either way out is right
        return None


def test_every_method_is_at_the_top_level() -> None:
    for method in mv.METHODS:
        assert getattr(mv, method.__name__) is method


@names
def test_it_explains_itself(name: str) -> None:
    method = mv.METHODS[name]
    assert len(method.summary()) > 15
    for field, info in method.model_fields.items():
        assert field == "method" or info.description, f"{field} has no help"


@names
def test_it_survives_yaml(name: str) -> None:
    recipe = mv.Recipe(steps=[cases.METHODS[name]("x")])
    assert mv.Recipe.from_yaml(recipe.to_yaml()) == recipe


@names
def test_it_is_frozen_and_copies_and_pickles(name: str) -> None:
    method = cases.METHODS[name]("x")
    assert copy.deepcopy(method) == method
    assert pickle.loads(pickle.dumps(method)) == method  # noqa: S301  our own bytes
    with pytest.raises(Exception, match="frozen"):
        setattr(method, "method", "other")  # noqa: B010  the point is that it fails


@names
def test_a_step_that_claims_to_draw_nothing_gives_the_same_for_every_seed(name: str) -> None:
    step = cases.METHODS[name]("x")
    if step.draws:
        return
    for roles in (cases.roles(), cases.roles().model_copy(update={"household": "household"})):
        frame = cases.frame_with(cases.fitting(name)).with_columns(
            household=pl.int_range(pl.len()) // 3
        )
        table = mv.Table(frame, roles)
        try:
            first, second = (step.protect(table, seed=seed) for seed in (1, 2))
        except mv.InputError:
            continue
        assert first.frame.equals(second.frame)


@names
@columns
def test_it_copes_with_every_kind_of_column(name: str, column: str) -> None:
    frame = cases.frame_with(cases.COLUMNS[column])
    outcome = apply(cases.METHODS[name]("x"), frame)
    if outcome is not None:
        json.dumps(dict(outcome.facts))


@names
@columns
def test_it_copes_with_missing_cells(name: str, column: str) -> None:
    series = cases.COLUMNS[column].to_list()
    holes = pl.Series([None, *series[1:-1], None], dtype=cases.COLUMNS[column].dtype)
    apply(cases.METHODS[name]("x"), cases.frame_with(holes))


@names
@columns
@pytest.mark.parametrize("height", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_it_copes_with_no_row_and_one_row(name: str, column: str, height: int) -> None:
    apply(cases.METHODS[name]("x"), cases.frame_with(cases.COLUMNS[column]).head(height))


@names
@columns
def test_it_copes_with_one_class(name: str, column: str) -> None:
    series = cases.COLUMNS[column]
    one = pl.select(pl.repeat(series[0], 8, dtype=series.dtype)).to_series()
    frame = cases.frame_with(one).with_columns(sex=pl.lit("f"), age=pl.lit(30))
    apply(cases.METHODS[name]("x"), frame)


@names
@columns
def test_it_leaves_its_input_alone(name: str, column: str) -> None:
    frame = cases.frame_with(cases.COLUMNS[column])
    twin = frame.clone()
    apply(cases.METHODS[name]("x"), frame)
    assert frame.equals(twin)
    assert frame.schema == twin.schema


@names
@columns
def test_the_same_seed_gives_the_same_table(name: str, column: str) -> None:
    frame = cases.frame_with(cases.COLUMNS[column])
    method = cases.METHODS[name]("x")
    if not method.repeatable:
        pytest.skip("its noise is secure: no seed repeats it")
    first, second = apply(method, frame), apply(method, frame)
    if first is not None and second is not None:
        assert first.table.frame.equals(second.table.frame)
        assert first.facts == second.facts


@names
@pytest.mark.parametrize("column", list(cases.NESTED))
def test_nested_values_pass_untouched_or_are_refused_by_column(name: str, column: str) -> None:
    frame = cases.frame_with(cases.NESTED[column])
    try:
        outcome = cases.METHODS[name]("x").apply(
            mv.Table(frame, cases.roles()), np.random.default_rng(1)
        )
    except mv.InputError as error:
        assert "'x'" in str(error)  # noqa: PT017  either way out is right
    else:
        assert "x" not in outcome.table.columns or outcome.table.frame["x"].dtype.is_nested()


@names
def test_an_unknown_column_is_named(name: str) -> None:
    if name == "sample":
        pytest.skip("names no column")
    with pytest.raises(mv.InputError, match="No column 'xx'"):
        cases.METHODS[name]("xx").protect(
            cases.frame_with(cases.COLUMNS["integers"]), roles=cases.roles()
        )


@names
def test_facts_and_messages_hold_no_cell(name: str) -> None:
    marker = "zebra-cell-77"
    frame = cases.frame_with(pl.Series([marker, f"{marker}b", *["q"] * 6]))
    try:
        outcome = cases.METHODS[name]("x").apply(
            mv.Table(frame, cases.roles()), np.random.default_rng(1)
        )
    except mv.InputError as error:
        assert marker not in str(error)  # noqa: PT017  either way out is right
    else:
        assert marker not in json.dumps(dict(outcome.facts))


@names
def test_the_row_link_leads_back_to_the_original(name: str) -> None:
    frame = cases.frame_with(cases.fitting(name)).with_columns(id=pl.int_range(8))
    outcome = apply(cases.METHODS[name]("x"), frame)
    assert outcome is not None
    if "id" in outcome.table.columns:
        rows = np.arange(8) if outcome.table.rows is None else outcome.table.rows
        assert outcome.table.frame["id"].to_list() == rows.tolist()


@names
def test_row_wise_methods_give_the_same_rows_in_pieces(name: str) -> None:
    method = cases.METHODS[name]("x")
    if not method.row_wise:
        pytest.skip("needs the whole table")
    frame = cases.frame_with(cases.fitting(name))
    whole = apply(method, frame)
    halves = [apply(method, frame.head(3)), apply(method, frame.tail(5))]
    assert whole is not None
    pieces = [half.table.frame for half in halves if half is not None]
    assert pl.concat(pieces).equals(whole.table.frame)
