"""Every door reads data as the recipe says: frames, files, parts, and every use case."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import microveil as mv
from microveil.app.checking import check
from microveil.errors import InputError

DAYS = [date(1950, 1, 3) + timedelta(days=11 * n) for n in range(60)]
FORMATS = ["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%y", "%Y-%m-%d", "%Y%m%d", "%d %B %Y", "%d/%m/%Y %H:%M"]


def table(written: str) -> dict[str, list[Any]]:
    """Births as text, a code with a leading zero, and heights with a code for missing."""
    return {
        "birth": [day.strftime(written) for day in DAYS],
        "code": [f"{n % 3}.50" for n in range(60)],
        "height": ["9999", "NA", *(str(150 + n) for n in range(58))],
    }


def recipe(written: str, *, pivot: int = 29) -> mv.Recipe:
    return mv.Recipe.parse(
        {
            "reading": {
                "birth": {"format": written, "pivot": pivot},
                "code": "text",
                "height": {"type": "number", "missing": [9999, "NA"]},
            },
            "roles": {"quasi_identifiers": ["birth"], "insensitive": ["code", "height"]},
            "steps": [
                {
                    "method": "generalize",
                    "column": "birth",
                    "hierarchy": {"hierarchy": "dates", "levels": ["day", "year"]},
                    "level": "year",
                }
            ],
            "require": [{"model": "k_anonymity", "k": 2}],
        }
    )


def expected() -> pl.DataFrame:
    frame = pl.DataFrame(table("%Y"))
    heights = pl.Series("height", [None, None, *(150.0 + n for n in range(58))])
    return frame.with_columns(heights)


@pytest.mark.parametrize("written", FORMATS)
def test_every_format_gives_one_release_at_every_door(written: str, tmp_path: Path) -> None:
    data, plan, wanted = table(written), recipe(written), expected()
    assert mv.run(plan, pl.DataFrame(data)).data.equals(wanted)
    assert mv.run(plan, data).data.equals(wanted)
    assert pl.from_pandas(mv.run(plan, pd.DataFrame(data)).data).equals(wanted)
    pl.DataFrame(data).write_csv(tmp_path / "in.csv", separator=";")
    pl.DataFrame(data).write_parquet(tmp_path / "in.parquet")
    for source in ("in.csv", "in.parquet"):
        for in_parts in (False, True):
            out = tmp_path / f"{source}.{in_parts}.parquet"
            made = mv.run_file(
                plan, tmp_path / source, out, keep_order=True, in_parts=in_parts, seed=1
            )
            assert made.holds
            assert pl.read_parquet(out).equals(wanted), (source, in_parts)


def test_use_cases_read_as_the_recipe_says(tmp_path: Path) -> None:
    data, plan = table("%d/%m/%Y"), recipe("%d/%m/%Y")
    release = mv.run(plan, data)
    assert check(plan, data).fits
    assert mv.fit(plan, data).reading == plan.reading
    assert mv.compare(data, release.data, recipe=plan, measures="none").before.n_records == 60
    assert mv.assess(data, recipe=plan, measures="none").n_records == 60
    assert mv.assess(release.data, recipe=plan, measures="none").k == release.risk.k
    explored = mv.explore(data, plan, {"require.0.k": [2, 3]})
    assert all(point.holds for point in explored.points)
    best = mv.advise(data, recipe=plan, seconds=600, work=1).best
    assert best is not None
    assert best.recipe.reading == plan.reading
    draft = mv.Draft.start(data, plan.roles, reading=plan.reading.to_dict()).apply(plan.steps[0])
    assert draft.require(*plan.require).release().data.equals(release.data)
    pl.DataFrame(data).write_csv(tmp_path / "in.csv")
    assert mv.read(tmp_path / "in.csv", reading=plan.reading).schema["birth"] == pl.Date


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"reading: No column 'height' in the data"):
        mv.run(recipe("%d/%m/%Y"), {"birth": ["31/12/1980"], "code": ["1"]})


def test_what_cannot_be_read_stops_every_door(tmp_path: Path) -> None:
    data = table("%m/%d/%Y")
    plan = recipe("%d/%m/%Y")
    pl.DataFrame(data).write_csv(tmp_path / "in.csv")
    assert not check(plan, data).fits
    with pytest.raises(InputError, match="give that format"):
        mv.run(plan, data)
    for in_parts in (False, True):
        with pytest.raises(InputError, match="cannot be read as %d/%m/%Y"):
            mv.run_file(plan, tmp_path / "in.csv", tmp_path / "out.csv", in_parts=in_parts)
    assert not (tmp_path / "out.csv").exists()
