"""Noise has the spread of the whole table, which is added up over the parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError
from microveil.planning import files
from microveil.planning.methods.additive_noise import plan_noise, suits
from tests.planning.cases import course_of

RNG = np.random.default_rng(1)
X = RNG.normal(1e6, 2.0, 60)  # far from zero: sums of squares would lose what deviations keep
FRAME = pl.DataFrame({"x": X, "y": 3 * X + RNG.normal(0, 1, 60), "one": [1.0] * 60}).with_columns(
    pl.when(pl.int_range(60) % 7 == 0).then(None).otherwise(pl.col("y")).alias("y")
)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PART", 7)


def test_the_spread_is_that_of_the_whole_table(tmp_path: Path) -> None:
    step = mv.AdditiveNoise(columns=["x", "y"], sd_share=0.1, correlated=True)
    plan = plan_noise(step, 0, course_of(FRAME, tmp_path))
    assert plan.spread.sds == pytest.approx([FRAME["x"].std(), FRAME["y"].std()])
    there = FRAME.drop_nulls()
    assert plan.spread.related is not None
    related = np.corrcoef(there["x"], there["y"])[0, 1]
    assert plan.spread.related[0, 1] == pytest.approx(related, abs=0.01)
    assert np.diag(plan.spread.related).tolist() == [1.0, 1.0]
    assert (plan.kind, plan.opaque) == ("from moments", True)


def test_noise_is_in_proportion_and_missing_cells_stay(tmp_path: Path) -> None:
    step = mv.AdditiveNoise(columns=["y"], sd_share=0.5)
    plan = plan_noise(step, 0, course_of(FRAME, tmp_path))
    assert plan.spread.related is None
    part = mv.Table(pl.concat([FRAME] * 10))
    after = plan.protect(part, np.random.default_rng(3), None).table.frame
    moves = (after["y"] - part.frame["y"]).drop_nulls()
    assert after["y"].null_count() == part.frame["y"].null_count()
    assert moves.std() == pytest.approx(0.5 * plan.spread.sds[0], rel=0.15)


def test_a_constant_has_no_spread_and_a_single_value_is_refused(tmp_path: Path) -> None:
    step = mv.AdditiveNoise(columns=["one"], sd_share=0.5)
    assert plan_noise(step, 0, course_of(FRAME, tmp_path)).spread.sds.tolist() == [0.0]
    with pytest.raises(ColumnError, match="fewer than two values"):
        plan_noise(step, 0, course_of(FRAME.head(1), tmp_path))


def test_people_strata_and_other_variants_need_every_record() -> None:
    plain = mv.AdditiveNoise(columns=["x"], sd_share=0.1)
    strata = mv.Roles(strata=["one"])
    assert suits(plain, mv.Roles())
    assert not suits(plain, mv.Roles(household="one"))
    assert suits(plain, strata) is not plain.by_strata
    for by_strata in (True, False):
        step = plain.model_copy(update={"by_strata": by_strata})
        assert suits(step, strata) is not by_strata
    assert not suits(plain.model_copy(update={"variant": "restricted"}), mv.Roles())
