"""Cells beyond all measure: a step and the figures beside it work, or say so in one sentence."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv

LIMITS = [2**63 - 1, -(2**63) + 1, 0, 5, None, 100, 2**63 - 1, 7]
CELLS: dict[str, pl.Series] = {
    "reals": pl.Series([1e308, -1e308, 5e307, 0.0, 1.0, -5e307, 1e308, 2.0]),
    "wholes": pl.Series(LIMITS, dtype=pl.Int64),
    "wide": pl.Series([2**127 - 1, -(2**127), 0, 1, 2, 3, 4, 5], dtype=pl.Int128),
    "days": pl.Series([2**31 - 1, -(2**31), 0, 5, None, 9, 1, 2], dtype=pl.Int32).cast(pl.Date),
    "old days": pl.Series([dt.date(1, 1, 1), dt.date(9999, 12, 31), *[dt.date(2000, 1, 1)] * 6]),
    "moments": pl.Series(LIMITS, dtype=pl.Int64).cast(pl.Datetime("us")),
    "lengths": pl.Series(LIMITS, dtype=pl.Int64).cast(pl.Duration("us")),
    "amounts": pl.Series(["9" * 38, f"-{'9' * 38}", *"012345"]).cast(pl.Decimal(38, 0)),
    "bytes": pl.Series([b"SECRET", b"\xffSECRET", *[b"a"] * 6]),
    "nothing": pl.Series([None] * 8, dtype=pl.Float64),
}
STEPS: list[dict[str, Any]] = [
    {"method": "additive_noise", "columns": ["x"], "sd_share": 0.3},
    {"method": "rank_swap", "columns": ["x", "y"], "correlation": 0.9},
    {"method": "microaggregate", "columns": ["x"], "k": 3},
    {"method": "mondrian", "k": 3},
    {"method": "round", "columns": ["x"], "base": 10},
    {"method": "permute", "columns": ["x"]},
    {"method": "shuffle", "columns": ["x"], "given": ["y"], "exact": True},
    {"method": "generalize", "column": "x", "hierarchy": {"hierarchy": "types"}, "level": 1},
    {"method": "synthesize"},
    {"method": "drop", "columns": ["x"]},
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", CELLS)
def test_cells_beyond_measure_end_in_figures_or_in_one_sentence(kind: str) -> None:
    cells = pl.concat([CELLS[kind]] * 3).alias("x")
    frame = pl.DataFrame([cells, pl.Series("y", np.arange(24) % 5 * 1.5)])
    roles = mv.Roles(quasi_identifiers=["x", "y"])
    for step in STEPS:
        recipe = mv.Recipe.parse({"roles": roles.to_dict(), "steps": [step]})
        try:
            release = mv.run(recipe, frame, seed=1)
        except mv.InputError as error:
            told = str(error)
        else:
            told = " ".join(release.not_measured.values())
            assert release.risk.n_records <= 24
            assert release.risk_before.n_records == 24
        assert "SECRET" not in told


def test_what_a_library_raises_within_a_step_is_told_without_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> None:
        raise pl.exceptions.ComputeError("cell SECRET")

    monkeypatch.setattr(mv.Permute, "apply", failing)
    recipe = mv.Recipe(steps=[mv.Permute(columns=["x"])])
    with pytest.raises(mv.ColumnError, match=r"^steps\.0\.permute: .*\(ComputeError\)") as caught:
        mv.run(recipe, {"x": [1]})
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None
