from __future__ import annotations

from datetime import date

import polars as pl
import pytest

from microveil.files import Labels
from microveil.files.labels import Codebook
from microveil.metadata.model import Category
from microveil.metadata.treatments import treatment_of
from microveil.metadata.variables import _in_order, describe_column, kind_of, role_of
from microveil.tables import Roles


def test_values_that_few_records_have_are_not_listed() -> None:
    found = describe_column(pl.Series("town", ["A"] * 10 + ["B"] * 9), Labels())
    assert [one.value for one in found.categories] == ["A"]
    assert not found.complete


def test_labelled_codes_are_listed_whoever_has_them() -> None:
    labels = Labels(values={"sex": {1: "male", 2: "female", 3: "other"}})
    found = describe_column(pl.Series("sex", [1] * 20 + [2]), labels)
    assert [(one.value, one.label) for one in found.categories] == [
        ("1", "male"),
        ("2", "female"),
        ("3", "other"),
    ]
    assert found.complete


def test_letters_and_declared_numbers_are_kinds_of_missing() -> None:
    labels = Labels(
        values={"a": {1: "yes", "a": "refused", 98: "unknown"}},
        gaps={"a": pl.Series("a", ["98", None])},
    )
    found = describe_column(pl.Series("a", [None, 1]), labels)
    told = [(one.value, one.missing) for one in found.categories]
    assert told == [("1", False), (".a", True), ("98", True)]


def test_a_code_book_of_a_package_is_told_by_its_numbers() -> None:
    book = Codebook(codes={"[20, 40)": 11}, missing={".a": "a"}, labels={11: "[20, 40)", "a": "no"})
    found = describe_column(pl.Series("age", ["[20, 40)"] * 30), Labels(books={"age": book}))
    assert found.kind == "integer"
    assert [(one.value, one.label, one.missing) for one in found.categories] == [
        ("11", "[20, 40)", False),
        (".a", "no", True),
    ]


def test_numbers_have_round_ends_and_no_list() -> None:
    found = describe_column(pl.Series("pay", [1003.7 + 11 * i for i in range(99)]), Labels())
    assert found.range is not None
    assert found.categories == ()
    assert all(float(end.replace(",", "")) % 10 == 0 for end in found.range)


@pytest.mark.parametrize("role", ["weight", "household", "entity", "key"])
def test_what_tells_records_apart_is_not_listed(role: str) -> None:
    column = pl.Series("x", [1, 2] * 50)
    found = describe_column(column, Labels(), role)  # type: ignore[arg-type]
    assert found.categories == ()
    assert found.range is None


def test_pseudonyms_are_not_listed() -> None:
    column = pl.Series("who", ["a"] * 50)
    done = (treatment_of("pseudonymize"),)
    assert describe_column(column, Labels(), None, done).categories == ()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([True, None], "boolean"),
        ([1], "integer"),
        ([1.5], "number"),
        ([date(2020, 1, 1)], "date"),
        (["a"], "text"),
        ([[1]], "other"),
    ],
)
def test_kinds_of_columns(values: list[object], kind: str) -> None:
    column = pl.Series("x", values)
    assert kind_of(column.dtype) == kind
    assert describe_column(column, Labels()).kind == kind


def test_an_empty_column_and_one_without_values_are_told() -> None:
    assert describe_column(pl.Series("x", [], dtype=pl.Float64), Labels()).range is None
    found = describe_column(pl.Series("x", [None, None], dtype=pl.String), Labels())
    assert found.has_missing
    assert found.categories == ()


def test_roles_that_are_no_characteristics() -> None:
    roles = Roles(weight="w", household="h", entity="e", strata=["s"], quasi_identifiers=["q"])
    found = [role_of(name, roles) for name in "wheqs"]
    assert found == ["weight", "household", "entity", None, "stratum"]


def test_codes_are_listed_by_number_with_kinds_of_missing_last() -> None:
    found = _in_order([Category("2"), Category("-9", missing=True), Category("10"), Category("1")])
    assert [one.value for one in found] == ["1", "2", "10", "-9"]
