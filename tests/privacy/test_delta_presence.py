from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import SpecError
from microveil.privacy.delta_presence import DeltaPresence
from microveil.tables import Classes, Roles, Table

SEX = Roles(quasi_identifiers=["sex"])
TABLE = Classes.of(Table({"sex": ["f", "f", "m"]}, SEX))
TOWN = pl.DataFrame({"sex": ["f"] * 4 + ["m"] * 6})


@pytest.mark.parametrize(
    ("minimum", "maximum", "broken"),
    [(0.0, 0.5, 0), (0.0, 0.49, 2), (0.16, 1.0, 0), (0.17, 1.0, 1), (0.2, 0.4, 3)],
)
def test_the_share_of_each_class_lies_between_the_bounds(
    minimum: float, maximum: float, broken: int
) -> None:
    check = DeltaPresence(minimum=minimum, maximum=maximum).against(TABLE, TOWN)
    assert check.parts == {"lowest": pytest.approx(1 / 6), "highest": 0.5}
    assert check.n_broken == broken
    assert check.holds == (broken == 0)


def test_a_class_that_the_population_lacks_breaks_every_maximum() -> None:
    check = DeltaPresence(maximum=1.0).against(TABLE, TOWN.filter(pl.col("sex") == "f"))
    assert check.n_broken == 1
    assert "1 classes not in the population" in check.sentence()


def test_weights_are_the_population_where_no_file_is_named() -> None:
    roles = Roles(quasi_identifiers=["sex"], weight="w")
    table = Table({"sex": ["f", "f", "m"], "w": [2.0, 2.0, 6.0]}, roles)
    assert DeltaPresence(maximum=0.5).verify(Classes.of(table)).achieved == 0.5


def test_a_minimum_above_the_maximum_is_refused() -> None:
    with pytest.raises(SpecError, match="must not exceed"):
        DeltaPresence.parse({"minimum": 0.6, "maximum": 0.5})
