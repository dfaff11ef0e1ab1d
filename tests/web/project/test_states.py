"""The table after a step is kept whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from microveil.methods import Outcome
from microveil.tables import Roles, Table
from microveil.web.project.states import States, read_frame, write_frame

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


def test_every_type_comes_back_as_it_was(tmp_path: Path) -> None:
    from datetime import date, timedelta
    from decimal import Decimal

    frame = pl.DataFrame(
        {
            "text": ["a", None],
            "long": ["a text that is far too long to be kept inline", "ж"],
            "category": pl.Series(["x", "y"], dtype=pl.Categorical),
            "enum": pl.Series(["lo", None], dtype=pl.Enum(["lo", "hi"])),
            "day": [date(2020, 1, 1), None],
            "span": [timedelta(days=1), None],
            "price": pl.Series([Decimal("1.50"), None], dtype=pl.Decimal(10, 2)),
            "small": pl.Series([1, None], dtype=pl.Int8),
            "yes": [True, None],
            "list": [[1, 2], []],
        }
    )
    write_frame(frame, tmp_path / "t.arrow")
    found = read_frame(tmp_path / "t.arrow")
    assert found.schema == frame.schema
    assert found.equals(frame)
    (tmp_path / "t.arrow").unlink()
    assert found.equals(frame)  # what was opened outlives its file


def test_a_frame_without_rows_is_read_too(tmp_path: Path) -> None:
    frame = pl.DataFrame(schema={"a": pl.Int64, "b": pl.String})
    write_frame(frame, tmp_path / "t.arrow")
    assert read_frame(tmp_path / "t.arrow").equals(frame)
