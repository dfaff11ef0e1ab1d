"""Rows drawn in parts: fitted to a sample where a table is large, drawn block after block."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.planning import FileEngine, plan_steps
from microveil.planning.methods import synthesize
from microveil.planning.methods.synthesize import draws_rows, fits_a_sample

RNG = np.random.default_rng(4)
FRAME = pl.DataFrame(
    {
        "sex": RNG.choice(["f", "m"], 900, p=[0.7, 0.3]),
        "w": np.full(900, 2.0),
        "x": RNG.normal(size=900),
    }
)


def drawn(
    step: mv.Synthesize, folder: Path, roles: mv.Roles
) -> tuple[pl.DataFrame, dict[str, object]]:
    FRAME.write_parquet(folder / "in.parquet")
    engine = FileEngine(folder / "in.parquet", roles, {}, 1, 2**30, folder=folder)
    course = plan_steps(mv.Recipe(roles=roles, steps=[step]), engine, 1)
    assert isinstance(course.engine, FileEngine)
    assert course.engine.drawn
    rows = pl.concat([table.frame for table in course.tables()])
    return rows, dict(course.facts[0][1])


def test_a_large_table_is_fitted_to_a_sample_and_drawn_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synthesize, "MOST_FITTED", 200)
    roles = mv.Roles(quasi_identifiers=["sex"], weight="w")
    rows, facts = drawn(mv.Synthesize(), tmp_path, roles)
    assert (rows.height, facts["n_fitted"], facts["n_records"]) == (900, 200, 900)
    assert rows["w"].sum() == pytest.approx(1800)
    assert (rows["sex"] == "f").mean() == pytest.approx(0.7, abs=0.12)
    assert "trust_map" in facts


def test_a_small_table_is_fitted_to_all_rows(tmp_path: Path) -> None:
    rows, facts = drawn(mv.Synthesize(n=50), tmp_path, mv.Roles())
    assert rows.height == facts["n_records"] == 50
    assert "n_fitted" not in facts


def test_what_needs_all_rows_is_never_fitted_to_a_sample() -> None:
    plain = mv.Synthesize()
    assert draws_rows(plain)
    assert not draws_rows(mv.Synthesize(columns=["x"]))
    assert fits_a_sample(plain, mv.Roles())
    assert not fits_a_sample(plain, mv.Roles(household="home"))
    assert not fits_a_sample(mv.Synthesize(replicated_uniques="remove"), mv.Roles())
    assert not fits_a_sample(mv.Synthesize(generator=mv.Mst(epsilon=1.0)), mv.Roles())


def test_several_copies_are_not_drawn_in_parts(tmp_path: Path) -> None:
    with pytest.raises(mv.InputError, match="one copy in each run"):
        drawn(mv.Synthesize(copies=2), tmp_path, mv.Roles())
