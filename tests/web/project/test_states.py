"""The table after a step is kept whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from microveil.methods import Outcome
from microveil.tables import Roles, Table
from microveil.web.project.states import States

TABLE = Table(pl.DataFrame({"age": [31, 45]}), Roles(quasi_identifiers=("age",)))


def test_a_state_comes_back_as_it_went(tmp_path: Path) -> None:
    states = States(tmp_path)
    assert not states.has("a")
    states.save("a", Outcome(TABLE, {"n_blank": 3}))
    found = states.load("a")
    assert found.table.frame.equals(TABLE.frame)
    assert found.table.roles == TABLE.roles
    assert found.facts == {"n_blank": 3}
    assert states.rows("a") is None
    assert states.load_facts("a", TABLE).table is TABLE


def test_rows_that_are_left_are_remembered(tmp_path: Path) -> None:
    states = States(tmp_path)
    left = TABLE.take(np.array([1]))
    states.save("b", Outcome(left, {}))
    assert list(states.rows("b")) == [1]
    assert states.frame("b")["age"].to_list() == [45]


def test_a_table_without_its_outcome_is_no_state(tmp_path: Path) -> None:
    (tmp_path / "c.arrow").write_bytes(b"half a table")
    assert not States(tmp_path).has("c")
