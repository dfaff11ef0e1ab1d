from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.tables import Roles, Table
from microveil.utility.parts.key_columns import key_columns, n_removed, plain_columns, silent

FRAME = pl.DataFrame({"x": ["a", "b"], "y": [1, 2], "many": [[1], [2]]})


def names(*columns: str, roles: Roles | None = None, after: pl.DataFrame = FRAME) -> list[str]:
    before = Table(FRAME, roles or Roles())
    return [one.name for one in key_columns(before, Table(after), columns, {}, paired=False)]


def test_named_columns_come_before_keys_and_keys_before_all() -> None:
    roles = Roles(quasi_identifiers=["y"])
    assert names("x", roles=roles) == ["x"]
    assert names(roles=roles) == ["y"]
    assert names() == ["x", "y"]
    with pytest.raises(ColumnError, match="'z'"):
        names("z")


def test_a_key_that_is_gone_stays_without_released_cells() -> None:
    before, after = Table(FRAME), Table(FRAME.drop("x"))
    [key] = key_columns(before, after, ("x",), {}, paired=True)
    assert key.released is None
    assert key.paired is None
    assert key.covering().n_values == 2


def test_lists_are_no_plain_columns() -> None:
    assert plain_columns(Table(FRAME), Table(FRAME.drop("y"))) == ("x",)


def test_cells_that_say_nothing() -> None:
    assert silent(pl.Series(["a", "*", None])).tolist() == [False, True, True]
    assert silent(pl.Series([1, None])).tolist() == [False, True]


def test_removed_records_are_never_fewer_than_none() -> None:
    longer = Table(pl.concat([FRAME, FRAME]))
    assert (n_removed(longer, Table(FRAME)), n_removed(Table(FRAME), longer)) == (2, 0)
