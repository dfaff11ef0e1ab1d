"""`generalize` gives every record the label of its value."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, FileError, HierarchyError, SpecError
from microveil.hierarchies import beside
from microveil.methods.generalize import Generalize
from microveil.tables import Roles, Table

RNG = np.random.default_rng(0)


def from_yaml(text: str) -> Generalize:
    return Generalize.parse(yaml.safe_load(text))


SEASON = from_yaml(
    "{method: generalize, column: date,"
    " hierarchy: {hierarchy: dates, levels: [day, season]}, level: season}"
)
DECADE = Generalize(column="age", hierarchy={"hierarchy": "intervals", "width": 10}, level=1)


def test_dates_become_seasons_as_the_advertisement_views_need() -> None:
    frame = pl.DataFrame({"date": [date(2021, 12, 24), date(2022, 7, 1), None]})
    assert SEASON.protect(frame)["date"].to_list() == ["Winter", "Summer", None]


def test_a_recipe_step_survives_yaml() -> None:
    assert from_yaml(yaml.safe_dump(SEASON.to_dict())) == SEASON


def test_the_facts_count_and_name_no_value() -> None:
    table = Table({"age": [34, 38, 41, None]}, Roles(quasi_identifiers=["age"]))
    outcome = DECADE.apply(table, RNG)
    assert outcome.facts == {
        "column": "age",
        "level": 1,
        "n_labels_before": 3,
        "n_labels_after": 2,
        "n_unlisted": 0,
    }
    assert outcome.table.roles == table.roles
    assert table.frame["age"].to_list() == [34, 38, 41, None]


def test_a_file_beside_the_recipe_is_found(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("Rome;IT;*\nParis;FR;*\n", encoding="utf-8")
    step = from_yaml("{method: generalize, column: town, hierarchy: towns.csv, level: 1}")
    with beside(tmp_path):
        assert step.protect({"town": ["Paris", "Rome"]})["town"].to_list() == ["FR", "IT"]
    with pytest.raises(FileError, match=r"No hierarchy file 'towns\.csv'"):
        step.protect({"town": ["Paris"]})


def test_an_inline_tree_serves() -> None:
    step = from_yaml(
        "{method: generalize, column: site, level: kind, hierarchy:"
        " {tree: {video: [YouTube, Vimeo], dating: [Tinder]}, levels: [site, kind]}}"
    )
    assert step.protect({"site": ["Vimeo", "Tinder"]})["site"].to_list() == ["video", "dating"]


def test_gaps_are_counted_or_starred() -> None:
    raw: dict[str, Any] = {"column": "site", "hierarchy": {"tree": {"x": ["a"]}}, "level": 1}
    frame = {"site": ["a", "b", "b", None]}
    with pytest.raises(
        HierarchyError, match=r"Column 'site': 1 distinct value \(2 records\) is not"
    ):
        Generalize(**raw).protect(frame)
    outcome = Generalize(**raw, unlisted="star").apply(Table(frame), RNG)
    assert outcome.table.frame["site"].to_list() == ["x", "*", "*", None]
    assert outcome.facts["n_unlisted"] == 2


def test_where_a_star_may_appear_the_column_is_text_in_every_batch() -> None:
    decade = {"hierarchy": "intervals", "width": 10}
    step = Generalize(column="x", hierarchy=decade, level=0, unlisted="star")
    batches = ([1.5, None], [float("inf")], [None])
    frames = [pl.DataFrame({"x": cells}, schema={"x": pl.Float64}) for cells in batches]
    out = pl.concat([step.protect(frame) for frame in frames])
    assert out["x"].to_list() == ["1.5", None, "*", None]


def test_text_that_is_no_date_points_to_the_format() -> None:
    with pytest.raises(HierarchyError, match=r"Column 'date' holds dates written as .*`format`"):
        SEASON.protect({"date": ["24/12/2021"]})


def test_level_0_changes_nothing() -> None:
    step = Generalize(column="age", hierarchy={"hierarchy": "intervals", "width": 10}, level=0)
    assert step.protect(pl.DataFrame({"age": [34, None]})).schema == {"age": pl.Int64}


@pytest.mark.parametrize("cells", [[], [None, None]])
def test_a_column_without_values_stays_without(cells: list[None]) -> None:
    frame = pl.DataFrame({"age": cells}, schema={"age": pl.Int64})
    out = DECADE.protect(frame)
    assert out["age"].to_list() == cells
    assert out["age"].dtype == pl.String


def test_columns_of_every_kind_become_text_and_keep_their_gaps(any_column: pl.Series) -> None:
    step = Generalize(column="x", hierarchy={"hierarchy": "digits", "masked": [1]}, level=1)
    out = step.protect(any_column.to_frame())["x"]
    assert out.dtype == pl.String
    assert out.is_null().equals(any_column.is_null())
    assert out.drop_nulls().str.ends_with("*").all()


def test_an_unsuited_kind_is_refused_by_column(any_column: pl.Series) -> None:
    step = Generalize(column="x", hierarchy={"hierarchy": "intervals", "width": 1}, level=1)
    if any_column.dtype.is_numeric() or any_column.dtype == pl.Null:
        assert step.protect(any_column.to_frame())["x"].null_count() == any_column.null_count()
    else:
        with pytest.raises(ColumnError, match="needs numbers; column 'x' holds"):
            step.protect(any_column.to_frame())


def test_a_missing_column_gets_a_hint() -> None:
    with pytest.raises(ColumnError, match="Did you mean 'agee'"):
        DECADE.protect({"agee": [1]})


def test_nested_cells_are_refused() -> None:
    with pytest.raises(ColumnError, match="nested"):
        DECADE.protect(pl.DataFrame({"age": [[1]]}))


def test_a_level_the_hierarchy_lacks_is_an_error() -> None:
    with pytest.raises(HierarchyError, match="levels are 0 to 2"):
        Generalize(column="age", hierarchy={"hierarchy": "intervals", "width": 1}, level=3).protect(
            {"age": [1]}
        )


@pytest.mark.parametrize("level", [-1, 1.5, True, None, []])
def test_a_level_is_a_number_from_0_or_a_name(level: Any) -> None:
    with pytest.raises(SpecError) as caught:
        Generalize.parse({"column": "a", "hierarchy": "h.csv", "level": level})
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].startswith("level: ")


def test_all_problems_of_a_step_are_listed_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        Generalize.parse({"hierarchy": {"hierarchy": "digits", "length": 0}, "unlisted": "drop"})
    starts = {problem.partition(":")[0] for problem in caught.value.problems}
    assert starts == {"column", "level", "unlisted", "hierarchy.digits.length"}


def test_files_can_be_streamed_unless_the_whole_column_matters() -> None:
    assert SEASON.row_wise
    assert DECADE.row_wise
    assert not Generalize(column="a", hierarchy={"hierarchy": "types"}, level=1).row_wise
    padded = {"hierarchy": "digits", "pad": "0"}
    assert not Generalize(column="a", hierarchy=padded, level=1).row_wise


@given(st.lists(st.none() | st.integers(0, 99_999), max_size=40), st.integers(0, 8))
def test_batches_give_what_the_whole_gives(codes: list[int | None], level: int) -> None:
    step = Generalize(column="zip", hierarchy={"hierarchy": "digits"}, level=level)
    frame = pl.DataFrame({"zip": codes}, schema={"zip": pl.Int64})
    batches = pl.concat(
        [step.protect(frame[start : start + 7]) for start in range(0, len(codes), 7)]
        or [step.protect(frame)]
    )
    assert batches.equals(step.protect(frame))


@given(st.lists(st.none() | st.integers(-1000, 1000), min_size=1))
def test_labels_never_grow_in_number_with_the_level(ages: list[int | None]) -> None:
    counts = []
    frame = pl.DataFrame({"age": ages}, schema={"age": pl.Int64})
    for level in range(4):
        hierarchy = {"hierarchy": "intervals", "width": [5, 20]}
        out = Generalize(column="age", hierarchy=hierarchy, level=level).protect(frame)["age"]
        assert out.is_null().equals(frame["age"].is_null())
        counts.append(out.n_unique())
    assert counts == sorted(counts, reverse=True)
