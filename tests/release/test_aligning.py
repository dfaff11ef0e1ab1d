from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.release.aligning import with_blanks

RECIPE = """
roles: {quasi_identifiers: [town], insensitive: [pay]}
steps: [{method: suppress_records, k: 2}]
require: [{model: k_anonymity, k: 2}]
"""


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_every_row_stands_where_it_came_from(kept: list[bool]) -> None:
    rows = np.flatnonzero(kept)
    frame = pl.DataFrame(
        {"at": rows, "text": [f"t{row}" for row in rows]},
        schema={"at": pl.Int64, "text": pl.String},
    )
    whole = with_blanks(frame, len(kept), rows, starred=("text", "at"))
    assert whole["at"].to_list() == [at if there else None for at, there in enumerate(kept)]
    assert whole["text"].to_list() == [f"t{at}" if is_in else "*" for at, is_in in enumerate(kept)]


@pytest.mark.parametrize("kind", ["pandas", "arrow_pandas", "polars"])
def test_a_release_lies_beside_what_came_in(kind: str) -> None:
    frame = pd.DataFrame({"town": list("aabca"), "pay": [1, 2, 3, 4, 5]}, index=list("vwxyz"))
    if kind == "arrow_pandas":
        frame = frame.convert_dtypes(dtype_backend="pyarrow")
    given: Any = pl.from_pandas(frame) if kind == "polars" else frame
    release = mv.run(mv.Recipe.from_yaml(RECIPE), given)
    beside = release.align()
    towns = beside["town"].to_list() if kind == "polars" else beside["town"].tolist()
    assert [town if isinstance(town, str) else None for town in towns] == [
        "a",
        "a",
        None,
        None,
        "a",
    ]
    if kind != "polars":
        assert beside.index.tolist() == list("vwxyz")
        assert release.align("drop").index.tolist() == list("vwz")
        assert release.align("coarsest")["town"].tolist() == ["a", "a", "*", "*", "a"]
        assert release.data.index.tolist() == [0, 1, 2]


def test_a_broken_requirement_gives_nothing() -> None:
    broken = mv.Recipe.from_yaml(RECIPE.replace("steps: [{method: suppress_records, k: 2}]", ""))
    release = mv.run(broken, {"town": ["a", "b"], "pay": [1, 2]})
    with pytest.raises(mv.RequirementNotMetError):
        release.align()


def test_synthetic_records_have_no_place() -> None:
    recipe = mv.Recipe.from_yaml("steps: [{method: synthesize}]\nundeclared: keep")
    release = mv.run(recipe, {"x": list(range(30)), "y": list("ab") * 15}, seed=1)
    with pytest.raises(mv.InputError, match="no row beside"):
        release.align()
