from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.plots import (
    marginals_chart,
    to_svg,
)
from microveil.plots.marginals import MISSING, MOST_COLUMNS, OTHERS, share_rows
from microveil.plots.small_counts import SMALL_COUNT
from microveil.tables import Table
from tests.plots.cases import RARE, rows_of
from tests.plots.releases import NOISY


def test_public_marginals_name_no_rare_value() -> None:
    assert RARE in json.dumps(rows_of(marginals_chart(NOISY)))
    public = rows_of(marginals_chart(NOISY, audience="public"))

    assert RARE not in json.dumps(public)
    shares = [row["share"] * 400 for row in public if "share" in row]
    assert all(round(share) >= SMALL_COUNT for share in shares)
    assert all(abs(share - SMALL_COUNT * round(share / SMALL_COUNT)) < 1e-6 for share in shares)


def test_shares_add_up_on_each_side() -> None:
    values = [f"v{i % 17}" for i in range(170)] + [None] * 30
    table = Table(pl.DataFrame({"v": values}))
    shares = share_rows(table, table.filter(np.arange(200) < 100), "v")

    for side in ("original", "protected"):
        assert sum(row["share"] for row in shares if row["side"] == side) == pytest.approx(1)
    assert shares[0]["value"] == MISSING
    assert {row["value"] for row in shares} >= {OTHERS, MISSING}


def test_columns_of_every_kind_have_a_panel() -> None:
    frame = pl.DataFrame(
        {
            "list": [[1], [2]],
            "flag": [True, None],
            "day": pl.Series(["2024-01-01", None]).str.to_date(),
            "kind": pl.Series(["a", "b"], dtype=pl.Categorical),
            "long": ["x" * 99, "y"],
        }
    )
    text = json.dumps(rows_of(marginals_chart(frame, frame)))

    assert "2024-01-01" in text
    assert "x" * 40 not in text
    many = pl.DataFrame({f"c{i:02}": ["a"] for i in range(MOST_COLUMNS + 1)})
    assert "the first 12 of 13 columns" in to_svg(marginals_chart(many, many))
    with pytest.raises(InputError, match="no column in common"):
        marginals_chart({"a": [1]}, {"b": [1]})


def test_labels_with_numbers_stand_in_their_order() -> None:
    ages = ["≥60"] * 5 + ["[40, 60)"] * 3 + ["<40"] * 4 + [None] * 6 + ["[100, 120)"]
    table = Table(pl.DataFrame({"age": ages}))
    drawn = list(dict.fromkeys(row["value"] for row in share_rows(table, table, "age")))
    assert drawn == ["<40", "[40, 60)", "≥60", "[100, 120)", "missing"]
    towns = Table(pl.DataFrame({"town": [None, "b", "b", "a", "1st", None, None]}))
    drawn = list(dict.fromkeys(row["value"] for row in share_rows(towns, towns, "town")))
    assert drawn[:2] == ["missing", "b"]
