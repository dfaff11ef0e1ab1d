from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import HierarchyError
from microveil.methods.local_recoding.step import LocalRecoding
from microveil.tables import Table
from tests.methods.local_recoding.cases import (
    TREES,
)


def test_a_key_that_no_class_had_to_generalise_keeps_its_type() -> None:
    frame = pl.DataFrame({"age": [30, 30, 41, 41]})
    released = LocalRecoding(k=2, columns=["age"]).protect(frame)
    assert released.equals(frame)


@pytest.mark.parametrize(
    "loss",
    [
        "loss",
        "precision",
        "height",
        "non_uniform_entropy",
        "normalized_non_uniform_entropy",
        "entropy_based",
    ],
)
def test_every_loss_is_nothing_for_what_stays_as_it_is(loss: str) -> None:
    frame = pl.DataFrame({"town": ["Lyon", "Lyon", "Rome", "Rome"]})
    step = LocalRecoding(k=2, columns=["town"], hierarchies={"town": TREES["town"]}, loss=loss)
    facts = step.apply(Table(frame), np.random.default_rng(1)).facts
    assert facts["loss"] == pytest.approx(0.0)
    step = LocalRecoding(k=3, columns=["town"], hierarchies={"town": TREES["town"]}, loss=loss)
    most = step.apply(Table(frame), np.random.default_rng(1)).facts["loss"]
    expected = {"height": 2.0, "non_uniform_entropy": 4.0, "entropy_based": 4.0}
    assert most == pytest.approx(expected.get(loss, 1.0))


def test_missing_keys_are_a_value_of_their_own() -> None:
    frame = pl.DataFrame({"town": ["Lyon", "Lyon", None, None, None]})
    step = LocalRecoding(k=2, columns=["town"], hierarchies={"town": TREES["town"]})
    assert step.protect(frame, seed=1).equals(frame)
    one = pl.DataFrame({"town": ["Lyon", "Lyon", "Lyon", "Lyon", None]})
    assert step.protect(one, seed=1)["town"].null_count() == 0
    nothing = pl.DataFrame({"town": [None, None]}, schema={"town": pl.String})
    assert step.protect(nothing, seed=1).equals(nothing)


def test_values_a_hierarchy_does_not_list_are_an_error_or_stars() -> None:
    frame = pl.DataFrame({"town": ["Lyon", "Lyon", "Oslo", "Bonn"]})
    step = LocalRecoding(k=2, columns=["town"], hierarchies={"town": TREES["town"]})
    with pytest.raises(HierarchyError, match="2 distinct values"):
        step.protect(frame)
    starred = step.model_copy(update={"unlisted": "star"}).protect(frame, seed=1)
    assert starred["town"].to_list() == ["Lyon", "Lyon", "*", "*"]


def test_an_empty_table_and_a_single_class_pass() -> None:
    empty = pl.DataFrame({"town": []}, schema={"town": pl.String})
    assert LocalRecoding(k=2, columns=["town"]).protect(empty).equals(empty)
    pair = pl.DataFrame({"town": ["Lyon", "Rome"]})
    step = LocalRecoding(k=2, columns=["town"], hierarchies={"town": TREES["town"]})
    assert step.protect(pair, seed=1)["town"].to_list() == ["*", "*"]
