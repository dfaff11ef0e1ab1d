"""The register: families, municipalities, and an inspection that understands the names."""

from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.studies.examples.register import register


def test_families_live_together_and_children_are_young_and_earn_nothing() -> None:
    frame = register(3000, 1)
    assert frame["PNR"].is_unique().all()
    assert frame.group_by("FAMILIE_ID").agg(pl.col("KOM").n_unique())["KOM"].max() == 1
    born_late = frame.filter(pl.col("FOED_DAG") > pl.date(2007, 1, 1))
    assert born_late.height > 100
    assert set(born_late["INDKOMST"]) == {0}
    assert set(born_late["CIVST"]) == {"U"}


def test_an_inspection_understands_the_danish_names() -> None:
    roles = mv.inspect(register(4000, 2)).roles
    assert {"KOM", "FOED_DAG", "KOEN"} <= set(roles.quasi_identifiers)
    assert "INDKOMST" in roles.sensitive
    assert "PNR" in roles.identifiers
