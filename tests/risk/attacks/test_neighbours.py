from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.pairs.columns import read_columns
from microveil.risk.attacks.neighbours import Space, distance_table
from microveil.tables import Table

BEFORE = pl.DataFrame({"age": [20, 30, 60, None], "sex": ["f", "m", "m", "f"]})
AFTER = pl.DataFrame({"age": [21, 58, 20], "sex": ["f", "m", "m"]})


def gower(one: tuple[float | None, str], other: tuple[float | None, str], width: float) -> float:
    if one[0] is None or other[0] is None:
        number = float(one[0] is not other[0])
    else:
        number = abs(one[0] - other[0]) / width
    return number + (one[1] != other[1])


def test_the_nearest_are_those_of_all_pairs_by_gowers_distance() -> None:
    columns = read_columns(Table(BEFORE), Table(AFTER), None, ["age", "sex"])
    first, second, ties = Space(columns, "original", "released").nearest(np.arange(4))
    for i, row in enumerate(BEFORE.rows()):
        apart = sorted(gower(row, other, 40) for other in AFTER.rows())
        assert first[i] == pytest.approx(apart[0])
        assert second[i] == pytest.approx(apart[1])
        assert ties[i] == sum(one == pytest.approx(apart[0]) for one in apart)


def test_a_record_may_be_left_out_of_its_own_search() -> None:
    columns = read_columns(Table(BEFORE), Table(AFTER), None, ["age", "sex"])
    within = Space(columns, "original", "original")
    assert within.nearest(np.arange(3))[0].tolist() == [0, 0, 0]
    apart = within.nearest(np.arange(3), skip=np.arange(3))[0]
    assert apart[1] == pytest.approx(30 / 40)


def test_a_value_is_at_no_distance_from_a_label_that_covers_it_alone() -> None:
    released = pl.DataFrame({"age": ["[20, 30)", "60", None]})
    (column,) = read_columns(Table(BEFORE), Table(released), None, ["age"], linked=False)
    table, row = distance_table(column, column.codes[0][:3], of_labels=False)
    labels = column.label_texts.to_list()
    assert table[row[2], labels.index("60")] == pytest.approx(0)
    assert table[row[0], labels.index("60")] == pytest.approx(1)
    assert (table[row, -1] == 1).all()
    plain = read_columns(Table(BEFORE), Table(AFTER), None, ["age"])[0]
    with pytest.raises(TypeError, match="no labels in column 'age'"):
        distance_table(plain, plain.codes[0], of_labels=False)
