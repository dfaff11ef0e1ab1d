"""A table split in parts: the links of all rows, whatever the parts are."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.planning import FileEngine, files, plan_steps

FRAME = pl.DataFrame(
    {"sex": list("ffmm") * 6, "ill": ["flu", "gout", "none"] * 8, "pay": range(24), "x": range(24)}
)
GROUPS = {"people": ["sex", "pay"], "ills": ["ill"]}


def linked(step: mv.Decompose, path: Path) -> pl.DataFrame:
    FRAME.write_parquet(path)
    recipe = mv.Recipe(steps=[step])
    course = plan_steps(recipe, FileEngine(path, mv.Roles(), {}, 1, 2**30), 1)
    return pl.concat([table.frame for table in course.tables()])


@pytest.mark.parametrize("l", [None, 3])
def test_links_do_not_depend_on_the_parts(
    l: int | None,  # noqa: E741  l is the trade's letter
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    step = mv.Decompose(groups=GROUPS, l=l)
    whole = linked(step, tmp_path / "in.parquet")
    monkeypatch.setattr(files, "PART", 7)
    assert whole.equals(linked(step, tmp_path / "in.parquet"))
    assert whole.columns == ["link_id", "sex", "pay", "ill"]
    if l is None:
        assert sorted(whole["link_id"]) == list(range(1, 25))
    else:
        different = whole.group_by("link_id").agg(pl.col("ill").n_unique(), pl.len())
        assert (different["ill"] == different["len"]).all()
        assert (different["len"] >= l).all()


def test_links_that_memory_does_not_hold_are_refused(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "in.parquet")
    recipe = mv.Recipe(steps=[mv.Decompose(groups=GROUPS)])
    with pytest.raises(InputError, match=r"steps\.0\.decompose.*may be used"):
        plan_steps(recipe, FileEngine(tmp_path / "in.parquet", mv.Roles(), {}, 1, 100), 1)
