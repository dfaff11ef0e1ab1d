"""One call protects whatever it is given, or says why not: every example, and every shape."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.studies.examples import EXAMPLES
from tests.app.shapes import SHAPES
from tests.cli.conftest import Cli

QUICK = {"one_row", "two_rows", "all_constant", "booleans", "panel", "codes", "households"}
HOPELESS = {"one_row", "two_rows"}
"""Fewer people than any k: a refusal, with exit code 3."""


def _least_people(released: pl.DataFrame, keys: list[str], people: pl.Series | None) -> int:
    """People (or records) of the smallest class, counted apart from the code under test."""
    counted: dict[tuple[object, ...], set[object]] = {}
    who = range(released.height) if people is None else people.to_list()
    for row, person in zip(released.select(keys).iter_rows(), who, strict=True):
        counted.setdefault(row, set()).add(person)
    return min(map(len, counted.values()))


def _check(frame: pl.DataFrame) -> None:
    release = mv.protect(frame, seed=1)
    after, recipe = release.data, release.recipe
    assert release.holds
    k = max(model.k for model in recipe.models if isinstance(model, mv.KAnonymity))
    keys = [name for name in recipe.roles.quasi_identifiers if name in after.columns]
    assert release.rows is None or len(release.rows) == frame.height
    entity = recipe.roles.entity
    if keys:
        assert _least_people(after, keys, None if entity is None else frame[entity]) >= k
    told = " ".join(release.notes)
    for name in frame.columns:
        left = after[name].n_unique() if name in after.columns else 0
        assert left > 1 or frame[name].n_unique() <= 1 or f"'{name}'" in told, name
    again = mv.run(mv.Recipe.parse(recipe.to_dict()), frame, seed=2)
    assert again.holds


@pytest.mark.parametrize(
    "shape", [pytest.param(one, marks=[] if one in QUICK else pytest.mark.slow) for one in SHAPES]
)
def test_a_table_of_any_shape_is_protected_or_refused(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    SHAPES[shape](np.random.default_rng([7, len(shape)])).write_csv(path)
    if shape in HOPELESS:
        with pytest.raises(mv.InputError, match="fewer than k") as refused:
            mv.protect(mv.read(path))
        assert refused.value.exit_code == 3
    else:
        _check(mv.read(path))


@pytest.mark.slow
@pytest.mark.parametrize("example", sorted(EXAMPLES))
def test_every_example_is_protected(example: str, cli: Cli, tmp_path: Path) -> None:
    data, out = tmp_path / "data.csv", tmp_path / "released.csv"
    assert cli("example", example, "--rows", "2000", "--out", data).code == 0
    result = cli("protect", data, "--out", out)
    assert result.code == 0, result.err
    assert out.exists()


@pytest.mark.slow
def test_every_table_of_the_course_is_protected_or_refused(cli: Cli, tmp_path: Path) -> None:
    assert cli("example", "course", "--out", tmp_path / "course").code == 0
    tables = sorted((tmp_path / "course").glob("*.csv"))
    assert tables
    for table in tables:
        result = cli("protect", table, "--out", tmp_path / "released.csv")
        assert result.code in (0, 3), (table.name, result.err)


def test_the_refusal_of_a_single_row_has_the_code_of_a_goal_not_reached(
    cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "one.csv"
    SHAPES["one_row"](np.random.default_rng(1)).write_csv(path)
    result = cli("protect", path, "--out", tmp_path / "released.csv")
    assert result.code == 3
    assert not (tmp_path / "released.csv").exists()
