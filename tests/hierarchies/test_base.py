from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.hierarchies import File, Hierarchy
from microveil.hierarchies.base import distinct_values, with_star_on_top, wrong_kind


def test_each_value_once_and_categories_as_text() -> None:
    column = pl.Series("x", ["b", None, "a", "b"], dtype=pl.Categorical)
    found = distinct_values(column)
    assert found.to_list() == ["a", "b"]
    assert found.dtype == pl.String
    with pytest.raises(ColumnError, match="nested"):
        distinct_values(pl.Series("x", [[1]]))


def test_a_star_tops_every_hierarchy_and_replaces_empty_labels() -> None:
    values, labels = pl.Series("x", ["a1", "b"]), pl.Series("x", ["a", ""])
    found = with_star_on_top([values, labels], ("value", "letter"))
    assert found.text_rows() == [("a1", "a", "*"), ("b", "*", "*")]
    assert found.height == 2


def test_levels_go_by_their_name_or_by_their_number() -> None:
    values = pl.Series("x", ["a", "b"])
    labels = pl.Series("x", ["g", "g"])
    named = Hierarchy.of([values, labels, labels, pl.Series(["*", "*"])], ("", "group", "2", "3"))
    assert File(path="x.csv").titles(named) == ("as it is", "group", "level 2 of 3", "*")


def test_the_wrong_type_is_named_with_its_column() -> None:
    error = wrong_kind(File(path="x.csv"), pl.Series("age", [1.5]), "text")
    assert str(error) == "Hierarchy 'file' needs text; column 'age' holds Float64."
