"""sdcMicro's score of a strategy, term by term."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.tables import Roles, Table
from microveil.utility import IL1s, StrategyScore

BEFORE = pl.DataFrame(
    {
        "sex": ["f", "f", "m", "m", "f", "m"],
        "roof": ["a", "b", "c", "c", "b", "a"],
        "pay": [1.0, 2.0, 3.0, 4.0, 5.0, 9.0],
    }
)
ROLES = Roles(quasi_identifiers=["sex", "roof"], sensitive=["pay"])
SCORE = StrategyScore(keys=["sex", "roof"], numbers=["pay"])


def test_the_three_terms_are_as_published() -> None:
    after = BEFORE.with_columns(
        sex=pl.Series(["f", None, "m", "m", "f", "m"]),
        roof=pl.Series(["a", "b", "a", "a", "b", None]),
        pay=pl.Series([1.0, 2.5, 3.0, 4.0, 5.0, 8.0]),
    )
    found = SCORE.measure(BEFORE, after)
    moved = IL1s(columns=["pay"]).measure(BEFORE, after).value
    assert found.parts == pytest.approx(
        {
            "suppression_rate": 2 / 12,
            "category_loss": (0 + 1 / 3) / 2,
            "il1s_per_cell": moved / 6,
        }
    )
    assert found.value == pytest.approx((2 / 12 + 1 / 6 + moved / 6) / 3)
    assert SCORE.measure(BEFORE, BEFORE).value == 0


def test_a_star_is_missing_and_a_removed_record_or_column_lost() -> None:
    stars = BEFORE.with_columns(sex=pl.lit("*"))
    assert SCORE.measure(BEFORE, stars).parts["suppression_rate"] == 0.5
    assert SCORE.measure(BEFORE, stars).parts["category_loss"] == 0.5
    fewer = Table(BEFORE.head(3), ROLES, rows=np.arange(3))
    assert SCORE.measure(Table(BEFORE, ROLES), fewer).parts["suppression_rate"] == 0.5
    gone = SCORE.measure(BEFORE, BEFORE.drop("pay"))
    assert gone.parts["il1s_per_cell"] == 1


def test_roles_name_keys_and_numbers_and_weights_the_terms() -> None:
    after = BEFORE.with_columns(pay=BEFORE["pay"] + 1)
    by_roles = StrategyScore().measure(Table(BEFORE, ROLES), Table(after, ROLES)).value
    assert by_roles == SCORE.measure(BEFORE, after).value
    alone = StrategyScore(keys=["sex"], numbers=["pay"], terms=(1, 1, 0))
    assert alone.measure(BEFORE, after).value == 0


def test_what_is_lacking_is_told() -> None:
    with pytest.raises(InputError, match="needs keys"):
        StrategyScore().measure(BEFORE, BEFORE)
    with pytest.raises(InputError, match="not all 0"):
        StrategyScore(keys="sex", terms=(0, 0, 0)).measure(BEFORE, BEFORE)
