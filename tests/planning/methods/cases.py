"""A step worked through in parts, from file to file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microveil.app import run_file
from tests.planning.test_parts_equal_whole import recipe_of


def in_parts(step: dict[str, Any], frame: pl.DataFrame, folder: Path, seed: int = 3) -> Any:
    source, out = folder / "people.parquet", folder / "out.parquet"
    frame.write_parquet(source)
    done = run_file(recipe_of([step]), source, out, seed=seed, in_parts=True, keep_order=True)
    assert {path.name for path in folder.iterdir()} == {"people.parquet", "out.parquet"}
    return pl.read_parquet(out), done.facts[0].facts


def ranks(column: pl.Series) -> np.ndarray[Any, Any]:
    return column.rank("ordinal").cast(pl.Int64).to_numpy()
