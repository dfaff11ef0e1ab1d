from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns
from microveil.privacy import KAnonymity
from microveil.tables import Missing, Roles, Table


class Lift(Method):
    """Add a random whole number to columns."""

    method: Literal["lift"] = "lift"
    columns: SomeColumns = ()
    missing: Missing | None = None

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        more = int(rng.integers(1, 1_000_000))
        changed = [table.frame[name] + more for name in self.columns]
        return Outcome(table.with_columns(changed), {"n": table.height})


class Twice(Lift):
    """Give back two columns."""

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        return Outcome(table.with_columns([table.frame.to_series().alias("more")]))


FRAME = pl.DataFrame({"a": [1, 2], "b": [3, 4]})


def test_a_step_protects_frames_tables_and_single_columns_alike() -> None:
    after = Lift(columns=("a",)).protect(FRAME, seed=1)
    assert (after["a"] - FRAME["a"]).n_unique() == 1
    assert after["a"][0] > 1
    assert after["b"].equals(FRAME["b"])
    assert Lift(columns=("a",)).protect(Table(FRAME), seed=1).frame.equals(after)
    column = Lift().protect(FRAME["a"], seed=1)
    assert isinstance(column, pl.Series)
    assert column.name == "a"
    assert (column - FRAME["a"]).n_unique() == 1


def test_only_a_single_column_needs_no_name_and_gives_one_back() -> None:
    assert Lift().lacks_columns
    assert not Lift(columns=("a",)).lacks_columns
    with pytest.raises(ColumnError, match="Step 'lift' names no column"):
        Lift().protect(FRAME)
    with pytest.raises(ColumnError, match="does not give one column back"):
        Twice().protect(FRAME["a"])


def test_an_unset_treatment_of_missing_keys_follows_the_recipe() -> None:
    assert Lift().toward([KAnonymity(k=2)], "wildcard").missing == "wildcard"
    assert Lift(missing="category").toward([], "wildcard").missing == "category"


def test_a_step_touches_what_it_names_or_every_key() -> None:
    table = Table(FRAME, Roles(quasi_identifiers=["b"]))
    assert Lift(columns=("a",)).touches(table) == ("a",)
    assert Lift().touches(table) == ("b",)


def test_facts_of_two_parts_are_added() -> None:
    first = {"n": 1, "by": {"a": 2}, "rule": "x", "flag": True}
    second = {"n": 4, "by": {"a": 1, "b": 7}, "rule": "x", "flag": True}
    assert Lift().merge_facts(first, second) == {
        "n": 5,
        "by": {"a": 3, "b": 7},
        "rule": "x",
        "flag": True,
    }


def test_files_must_name_the_columns_that_python_may_leave_out() -> None:
    schema = Lift.model_json_schema()
    assert "columns" in schema["required"]
    assert "default" not in schema["properties"]["columns"]
