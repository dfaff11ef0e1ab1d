from __future__ import annotations

from microveil.tables import to_polars


def test_a_plain_dict_is_a_table_too() -> None:
    assert to_polars({"x": [1]}).height == 1
