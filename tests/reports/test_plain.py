from __future__ import annotations

import json

import polars as pl

from microveil.reports import summarize
from microveil.tables import Roles
from tests.reports.cases import (
    MakeRelease,
)


def test_cells_of_any_kind_become_plain_data(make_release: MakeRelease) -> None:
    odd = pl.DataFrame({"day": ["2024-02-29", None], "x": [float("nan"), float("inf")]})
    odd = odd.with_columns(pl.col("day").str.to_date(), pl.lit("y" * 999).alias("long"))
    roles = Roles(quasi_identifiers=["day", "x", "long"])
    release = make_release(data=odd, roles=roles, k=None)

    text = json.dumps(summarize(release).to_dict(), allow_nan=False)

    assert "2024-02-29" in text
    assert "y" * 99 not in text
