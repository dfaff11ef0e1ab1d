from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.tables import Table
from microveil.tabulation.building import build_cells


def test_a_sum_that_two_tables_state_is_one_equation() -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 2, "b": ["u", "u", "v", "v"], "c": list("pqpq")})
    tables = [mv.Tabulation(by=["a", "b"]), mv.Tabulation(by=["a", "c"])]
    (cells,) = build_cells([Table(frame)] * 2, tables)
    rows = [cells.system.matrix[[row]] for row in range(cells.system.n_equations)]
    keys = [tuple(zip(one.indices.tolist(), one.data.tolist(), strict=True)) for one in rows]
    assert len(set(map(frozenset, keys))) == len(keys)
    assert cells.system.is_additive()
