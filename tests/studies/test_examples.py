"""Example tables: seeded, of the size asked for, and shaped as they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import microveil as mv
from microveil.cli.program import program
from microveil.studies.examples import EXAMPLES


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_a_seed_gives_the_same_table_of_the_size_asked_for(name: str) -> None:
    draw = EXAMPLES[name].draw
    first = draw(120, 3)
    assert first.equals(draw(120, 3))
    if name != "dependent":
        assert first.height == 120
    if name in ("patients", "households", "panel", "random", "ad_views"):
        assert not first.equals(draw(120, 4))


def test_households_share_their_town_weight_and_size() -> None:
    frame = EXAMPLES["households"].draw(500, 1)
    by = frame.group_by("household").agg(
        pl.col("town").n_unique(), pl.col("weight").n_unique(), pl.len(), pl.col("size").first()
    )
    assert by["town"].max() == by["weight"].max() == 1
    assert (by["len"] == by["size"]).all()


def test_a_panel_has_one_row_per_person_and_year() -> None:
    frame = EXAMPLES["panel"].draw(500, 1)
    assert frame.select("person", "year").is_unique().all()
    assert frame.group_by("person").agg(pl.col("birth_date").n_unique())["birth_date"].max() == 1


def test_the_sets_of_zaragoza_are_those_of_the_thesis() -> None:
    assert EXAMPLES["independent"].draw(4, 0)["A2"].to_list() == [1, 2, 3, 4]
    assert EXAMPLES["squares"].draw(4, 0)["A0"].to_list() == [1, 4, 9, 16]
    dependent = EXAMPLES["dependent"].draw(27, 0)
    assert dependent.height == 27
    assert dependent.is_unique().all()
    drawn = EXAMPLES["random"].draw(2000, 0)["A1"].to_numpy()
    assert drawn.min() >= 1
    assert drawn.max() <= 2000
    assert abs(drawn.mean() - 1000.5) < 5 * 577 / np.sqrt(2000)


def test_the_command_writes_any_format(tmp_path: Path) -> None:
    target = tmp_path / "survey.parquet"
    done = CliRunner().invoke(
        program, ["example", "households", "--rows", "50", "--out", str(target)]
    )
    assert done.exit_code == 0, done.output
    assert mv.read(target).height == 50
    with pytest.raises(mv.InputError, match="Did you mean 'households'"):
        CliRunner().invoke(
            program, ["example", "household", "--out", "x.csv"], catch_exceptions=False
        )
