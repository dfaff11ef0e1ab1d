"""The 26 data sets of the thesis."""

from __future__ import annotations

import pytest

from microveil.studies.zaragoza.tables import LARGEST_QUADRATIC, DataSet, data_sets


def test_there_are_twenty_independent_and_six_dependent_ones() -> None:
    sets = list(data_sets())
    assert [one.kind for one in sets].count("independent") == 20
    assert [one.kind for one in sets].count("dependent") == 6
    assert len({(one.kind, one.name) for one in sets}) == 26
    squares = [one for one in sets if one.kind == "independent" and one.growth == "quadratic"]
    assert max(one.n_records for one in squares) == LARGEST_QUADRATIC


@pytest.mark.parametrize(
    ("data", "n_records", "last"),
    [
        (DataSet("independent", "linear", 5, 2), 5, (5, 5)),
        (DataSet("independent", "quadratic", 5, 3), 5, (25, 25, 25)),
        (DataSet("dependent", "linear", 3, 2), 9, (3, 3)),
        (DataSet("dependent", "quadratic", 2, 3), 8, (4, 4, 4)),
    ],
)
def test_records_are_as_many_as_told(data: DataSet, n_records: int, last: tuple[int, ...]) -> None:
    frame = data.frame()
    assert frame.height == data.n_records == n_records
    assert frame.rows()[-1] == last
    assert frame.n_unique() == n_records
